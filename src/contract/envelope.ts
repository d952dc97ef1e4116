import * as z from 'zod/mini';

import type { Description } from './description.ts';

/** The position of a page in its list. */
export interface Pagination {
  /** Items in the whole list. */
  total: number;
  /** Most items per page. */
  limit: number;
  /** Items before this page. */
  offset: number;
  /** Whether the list goes on after this page. */
  has_more: boolean;
}

/** What of it is checked. */
export const paginationFields: Description<Pagination> = {
  nullable: { total: 'number', limit: 'number', offset: 'number', has_more: 'boolean' },
};

/** `{ data: <object> }` */
export const objectEnvelopeSchema = z.looseObject({ data: z.unknown() });

/** The envelope of the freshness endpoint. */
export interface FreshnessEnvelope {
  /** Whether the service could do what was asked. */
  success: boolean;
  /** The page of the overview; its shape is not documented. */
  data?: unknown;
  /** What the service says about it. */
  message?: string | null | undefined;
  /** What went wrong. */
  error?: unknown;
  /** The position of the page in the overview; its shape is not documented. */
  meta?: Readonly<Record<string, unknown>> | null | undefined;
}

/** What of it is checked. */
export const freshnessEnvelopeFields: Description<FreshnessEnvelope> = {
  nullable: { success: 'boolean' },
};

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
