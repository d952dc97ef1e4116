import * as z from 'zod/mini';

import { intervals, type LiteralUnion, pageSizes } from './vocabulary.ts';

/** A string whose documented values are offered by editors while any other one is accepted. */
export function openEnum<const Known extends string>(_documented: readonly Known[]) {
  // The cast narrows nothing at run time: the type only names the documented values.
  return z.string() as unknown as z.ZodMiniType<LiteralUnion<Known>, LiteralUnion<Known>>;
}

/** A documented field of a response: it may be absent or null, so that one gap does not cost the whole answer. */
export const maybe = z.nullish;

/** An object whose keys are not fixed; as a `looseObject` it costs a bundle nothing that the others do not need. */
export const anyObject = z.looseObject({});

/** A string that says something: an id that becomes a segment of a path, the name of a table or a column. */
export const nonEmptyText = z.string().check(z.minLength(1, 'must not be empty'));

/** How often a rule is checked or a metric captured. */
export const intervalSchema = z.enum(intervals);

/** Path parameters of the endpoints of a whole asset. */
export const assetParamsSchema = z.strictObject({ asset_id: nonEmptyText });

/** Query of a list whose interface names a maximum page size of 100 (interface: Pagination and sizes). */
export const pageOf100 = {
  /** Page size, 1 to 100; the service's default is 50. */
  limit: z.optional(z.int().check(z.gte(1), z.lte(pageSizes.definitions.largest))),
  /** Items to skip; default 0. */
  offset: z.optional(z.int().check(z.gte(0))),
};

/** Query of a list whose interface names no maximum page size (interface: Pagination and sizes). */
export const pageOfAnySize = {
  /** Page size, at least 1; the service's default is 100. */
  limit: z.optional(z.int().check(z.gte(1))),
  /** Items to skip; default 0. */
  offset: z.optional(z.int().check(z.gte(0))),
};

/** What a delete says of itself (interface: Metrics, DELETE). */
export const deletionSchema = z.looseObject({
  success: z.boolean(),
  message: maybe(z.string()),
});

/** What a delete says of itself. */
export type Deletion = z.infer<typeof deletionSchema>;
