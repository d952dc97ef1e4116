// How shapes are written, so that their doc comments reach the declarations: a constant of its own for the fields, one
// a line, the schema annotated with the type of that constant, and an interface that extends what the schema infers.
import * as z from 'zod/mini';

import type { Schema } from './endpoint.ts';
import { intervals, type LiteralUnion, pageSizes } from './vocabulary.ts';

/** A schema whose type is the documented one, whatever it accepts at run time. */
export type Field<Documented> = z.ZodMiniType<Documented, Documented>;

/** A field of a response that neither a path nor a decision needs: it has the documented type, and is not checked. */
export function shown<Documented>(): Field<Documented> {
  // One odd or missing field must not cost the response.
  return z.optional(z.unknown()) as unknown as Field<Documented>;
}

function checked<Documented>(schema: Schema): Field<Documented> {
  return z.nullish(schema) as unknown as Field<Documented>;
}

/** A text of a response that a decision needs: text, or null or missing. */
export function text<Documented extends string | null = string>(): Field<Documented> {
  return checked<Documented>(z.string());
}

/** A number of a response that a decision needs: a number, or null or missing. */
export function number<Documented extends number | null = number>(): Field<Documented> {
  return checked<Documented>(z.number());
}

/** A boolean of a response that a decision needs: a boolean, or null or missing. */
export function flag(): Field<boolean> {
  return checked(z.boolean());
}

/** A text of a request whose documented values editors offer. */
export function word<Documented extends string>(): Field<LiteralUnion<Documented>> {
  return z.string();
}

/** The schema of an object of a response: unknown keys are kept, and its type has the documented ones. */
export type ResponseSchema<Shape extends z.core.$ZodLooseShape> = z.ZodMiniObject<Shape>;

/** Makes the schema of an object of a response. */
export function responseObject<Shape extends z.core.$ZodLooseShape>(shape: Shape): ResponseSchema<Shape> {
  // Without an index signature a misspelt field does not compile.
  return z.looseObject(shape);
}

/** The schema of an object of a request: unknown keys are refused. */
export type RequestSchema<Shape extends z.core.$ZodLooseShape> = z.ZodMiniObject<Shape, z.core.$strict>;

/** A text that is not empty: an id that becomes a segment of a path, the name of a table or a column. */
export const nonEmptyText = z.string().check(z.minLength(1, 'must not be empty'));

/** How often a rule is checked or a metric captured. */
export const intervalSchema = z.enum(intervals);

/** The path parameters of the endpoints of a whole asset. */
export const assetParamsSchema = z.strictObject({ asset_id: nonEmptyText });

/** The query of a list of definitions, rules or metrics. */
export const definitionsPage = {
  /**
   * Items per page, 1 to 100.
   *
   * @default 50
   */
  limit: z.optional(z.int().check(z.gte(1), z.lte(pageSizes.definitions.largest))),
  /**
   * Items to skip.
   *
   * @default 0
   */
  offset: z.optional(z.int().check(z.gte(0))),
};

/** The query of a list of what happened, results or snapshots. */
export const historyPage = {
  /**
   * Items per page, at least 1.
   *
   * @default 100
   */
  limit: z.optional(z.int().check(z.gte(1))),
  /**
   * Items to skip.
   *
   * @default 0
   */
  offset: z.optional(z.int().check(z.gte(0))),
};

const deletionShape = {
  /** Whether the rule or metric is deleted; true if the response does not say. */
  success: z.boolean(),
  /** What the service says about it. */
  message: z.optional(shown<string>()),
};

/** The response to a delete. */
export const deletionSchema: ResponseSchema<typeof deletionShape> = responseObject(deletionShape);

/** The response to a delete. */
export interface Deletion extends z.infer<typeof deletionSchema> {}
