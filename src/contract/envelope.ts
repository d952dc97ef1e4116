import * as z from 'zod/mini';

import { flag, number, type ResponseSchema, responseObject, shown } from './field.ts';

const paginationShape = {
  /** Items in the whole list. */
  total: number(),
  /** Most items per page. */
  limit: number(),
  /** Items before this page. */
  offset: number(),
  /** Whether the list goes on after this page. */
  has_more: flag(),
};

/** The position of a page in its list. */
export const paginationSchema: ResponseSchema<typeof paginationShape> = responseObject(paginationShape);

/** The position of a page in its list. */
export interface Pagination extends z.infer<typeof paginationSchema> {}

/** `{ data: <object> }` */
export const objectEnvelopeSchema = z.looseObject({ data: z.unknown() });

/** `{ data: { items: [ ] }, pagination }`, or `{ data: [ ], pagination }` */
export const listEnvelopeSchema = z.looseObject({
  data: z.union([z.looseObject({ items: z.array(z.unknown()) }), z.array(z.unknown())]),
  pagination: z.nullish(paginationSchema),
});

const freshnessEnvelopeShape = {
  /** Whether the service could do what was asked. */
  success: flag(),
  /** The page of the overview; its shape is not documented. */
  data: z.optional(z.unknown()),
  /** What the service says about it. */
  message: z.optional(shown<string | null>()),
  /** What went wrong. */
  error: z.optional(z.unknown()),
  /** The position of the page in the overview; its shape is not documented. */
  meta: z.optional(shown<Readonly<Record<string, unknown>> | null>()),
};

/** `{ success, data, message, error, meta }`, the envelope of the freshness endpoint. */
export const freshnessEnvelopeSchema: ResponseSchema<typeof freshnessEnvelopeShape> =
  responseObject(freshnessEnvelopeShape);

/** The envelope of the freshness endpoint. */
export interface FreshnessEnvelope extends z.infer<typeof freshnessEnvelopeSchema> {}

/** `{ error: { code, message, details } }`; a plain string is the message. */
export const errorEnvelopeSchema = z.looseObject({
  error: z.union([
    z.looseObject({
      code: z.nullish(z.string()),
      message: z.nullish(z.string()),
      details: z.optional(z.unknown()),
    }),
    z.string(),
  ]),
});
