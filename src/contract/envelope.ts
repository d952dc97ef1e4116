import * as z from 'zod/mini';

import { anyObject, maybe } from './field.ts';

/** Where a page of a list stands in the whole (interface: Pagination and sizes). */
export const paginationSchema = z.looseObject({
  total: maybe(z.number()),
  limit: maybe(z.number()),
  offset: maybe(z.number()),
  has_more: maybe(z.boolean()),
});

/** Where a page of a list stands in the whole. */
export type Pagination = z.infer<typeof paginationSchema>;

/** `{ data: <object> }` (interface: Common envelopes). */
export const objectEnvelopeSchema = z.looseObject({ data: z.unknown() });

/** `{ data: { items: [ ] }, pagination }`, or `{ data: [ ], pagination }` (interface: Common envelopes). */
export const listEnvelopeSchema = z.looseObject({
  data: z.union([z.looseObject({ items: z.array(z.unknown()) }), z.array(z.unknown())]),
  pagination: maybe(paginationSchema),
});

/** The envelope of the freshness endpoint (interface: Common envelopes). */
export const freshnessEnvelopeSchema = z.looseObject({
  success: maybe(z.boolean()),
  data: z.optional(z.unknown()),
  message: maybe(z.string()),
  error: z.optional(z.unknown()),
  meta: maybe(anyObject),
});

/** The envelope of the freshness endpoint. */
export type FreshnessEnvelope = z.infer<typeof freshnessEnvelopeSchema>;

/** `{ error: { code, message, details } }` (interface: Errors); a plain string is the message. */
export const errorEnvelopeSchema = z.looseObject({
  error: z.union([
    z.looseObject({ code: maybe(z.string()), message: maybe(z.string()), details: z.optional(z.unknown()) }),
    z.string(),
  ]),
});
