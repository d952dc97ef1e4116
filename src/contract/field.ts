// How shapes of requests are written, so that their doc comments reach the declarations: a constant of its own for the
// fields, one per line, the schema annotated with the type of that constant, and an interface that extends what the schema
// infers.
import * as z from 'zod/mini';

import type { Description } from './description.ts';
import { intervals, type LiteralUnion, pageSizes } from './vocabulary.ts';

/** A schema whose type is the documented one, whatever it accepts at run time. */
export type Field<Documented> = z.ZodMiniType<Documented, Documented>;

/** A text of a request whose documented values editors offer. */
export function word<Documented extends string>(): Field<LiteralUnion<Documented>> {
  return z.string();
}

/** The schema of an object of a request: unknown keys are refused. */
export type RequestSchema<Shape extends z.core.$ZodLooseShape> = z.ZodMiniObject<Shape, z.core.$strict>;

/** A text that is not empty: an id that becomes a segment of a path, the name of a table or a column. */
export const nonEmptyText = z.string().check(z.minLength(1, 'must not be empty'));

/** A percentage, 0 to 100. */
export const percent = z.number().check(z.gte(0), z.lte(100));

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

/** The response to a delete. */
export interface Deletion {
  /** Whether the rule or metric is deleted; true if the response does not say. */
  success: boolean;
  /** What the service says about it. */
  message?: string | undefined;
}

/** What of it is checked. */
export const deletionFields: Description<Deletion> = {
  required: { success: 'boolean' },
};
