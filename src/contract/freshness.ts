import * as z from 'zod/mini';

import { defineEndpoint } from './endpoint.ts';
import { freshnessEnvelopeSchema } from './envelope.ts';
import { assetParamsSchema, maybe, openEnum } from './field.ts';
import { freshnessStatuses, pageSizes, slaStatuses, tableStatuses } from './vocabulary.ts';

/** Whether the data of an asset is fresh (interface: Freshness). */
export const freshnessSchema = z.looseObject({
  /** Qualified asset name. */
  asset: maybe(z.string()),
  /** `unknown`: no timestamp column is configured, or there is no data. */
  status: maybe(openEnum(freshnessStatuses)),
  /** Timestamp of the most recent data, ISO 8601, UTC. */
  last_updated: maybe(z.string()),
  /** The configured threshold, a number with a unit such as `24h`. */
  sla_threshold: maybe(z.string()),
  sla_status: maybe(openEnum(slaStatuses)),
  /** ISO 8601, UTC. */
  checked_at: maybe(z.string()),
  timestamp_column: maybe(z.string()),
  /** Age of the data in minutes. */
  data_age_minutes: maybe(z.number()),
});

/** Whether the data of an asset is fresh. */
export type Freshness = z.infer<typeof freshnessSchema>;

const filter = z.string().check(z.refine((value) => !value.includes(','), 'must not contain a comma'));

/** Query of the paged overview (interface: Freshness, GET). Lists of filters are sent separated by commas. */
export const freshnessQuerySchema = z.strictObject({
  /** Default 1. */
  page: z.optional(z.int().check(z.gte(1))),
  /** Tables a page, 1 to 100; default 20. */
  page_size: z.optional(z.int().check(z.gte(1), z.lte(pageSizes.tables.largest))),
  status_filters: z.optional(z.union([openEnum(tableStatuses), z.array(openEnum(tableStatuses))])),
  schema_filters: z.optional(z.union([z.string(), z.array(filter)])),
  tag_filters: z.optional(z.union([z.string(), z.array(filter)])),
  /** Part of a table's name. */
  search_query: z.optional(z.string()),
});

/** Query of the paged overview. */
export type FreshnessQuery = z.input<typeof freshnessQuerySchema>;

/** The freshness endpoint, in its two uses (interface: Freshness). */
export const freshnessEndpoints = {
  get: defineEndpoint({
    name: 'freshness.get',
    summary: 'Returns whether the data of an asset is fresh.',
    method: 'GET',
    path: '/api/v1/assets/{asset_id}/freshness',
    retry: 'safe',
    scope: 'read-only',
    request: { params: assetParamsSchema },
    envelope: 'success',
    response: freshnessSchema,
    errorCodes: { 422: 'FRESHNESS_NOT_CONFIGURED' },
  }),
  overview: defineEndpoint({
    name: 'freshness.overview',
    summary:
      'Returns a page of the freshness of the tables of an asset; the shape of its entries is not shown.',
    method: 'GET',
    path: '/api/v1/assets/{asset_id}/freshness',
    retry: 'safe',
    scope: 'read-only',
    request: { params: assetParamsSchema, query: freshnessQuerySchema },
    envelope: 'success-envelope',
    response: freshnessEnvelopeSchema,
    pageSize: pageSizes.tables,
    selectedBy: Object.keys(freshnessQuerySchema.shape),
    errorCodes: { 422: 'FRESHNESS_NOT_CONFIGURED' },
  }),
};
