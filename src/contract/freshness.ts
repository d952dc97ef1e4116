import * as z from 'zod/mini';

import type { Description } from './description.ts';
import { defineEndpoint } from './endpoint.ts';
import { freshnessEnvelopeFields } from './envelope.ts';
import { assetParamsSchema, type RequestSchema, word } from './field.ts';
import {
  type FreshnessStatus,
  type LiteralUnion,
  pageSizes,
  type SlaStatus,
  type TableStatus,
} from './vocabulary.ts';

/** Whether the data of an asset is fresh. */
export interface Freshness {
  /** Qualified name of the asset. */
  asset: string;
  /**
   * `fresh`: the data was updated within the threshold; `stale`: it is older; `unknown`: no timestamp column is
   * configured, or the asset has no data.
   */
  status: LiteralUnion<FreshnessStatus>;
  /** Time of the most recent data, ISO 8601, UTC; null if it is unknown. */
  last_updated: string | null;
  /** The configured threshold: a number with a unit, such as `24h`. */
  sla_threshold: string;
  /** `within_sla`, `warning` (close to the threshold) or `violated`; null if the age is unknown. */
  sla_status: LiteralUnion<SlaStatus> | null;
  /** When the freshness was determined, ISO 8601, UTC. */
  checked_at: string;
  /** The column that dates the data; null if none is configured. */
  timestamp_column: string | null;
  /** Age of the data in minutes; null if it is unknown. */
  data_age_minutes: number | null;
  /** What the service says about it, such as why the status is `unknown`; the interface has it in the envelope. */
  message?: string | undefined;
}

/** What of it is checked. */
export const freshnessFields: Description<Freshness> = {
  nullable: { status: 'string', sla_status: 'string', data_age_minutes: 'number' },
};

const filter = z.string().check(z.refine((value) => !value.includes(','), 'must not contain a comma'));

const freshnessQueryShape = {
  /**
   * The page, counted from 1.
   *
   * @default 1
   */
  page: z.optional(z.int().check(z.gte(1))),
  /**
   * Tables per page, 1 to 100.
   *
   * @default 20
   */
  page_size: z.optional(z.int().check(z.gte(1), z.lte(pageSizes.tables.largest))),
  /** Only tables with one of these statuses; a string may name several, separated by commas. */
  status_filters: z.optional(z.union([word<TableStatus>(), z.array(word<TableStatus>())])),
  /** Only tables of these schemas; a string may name several, separated by commas. */
  schema_filters: z.optional(z.union([z.string(), z.array(filter)])),
  /** Only tables with one of these tags; a string may name several, separated by commas. */
  tag_filters: z.optional(z.union([z.string(), z.array(filter)])),
  /** Only tables whose name contains this text. */
  search_query: z.optional(z.string()),
};

/** The query of the overview of an asset's tables. */
export const freshnessQuerySchema: RequestSchema<typeof freshnessQueryShape> =
  z.strictObject(freshnessQueryShape);

/** The query of the overview of an asset's tables. */
export interface FreshnessQuery extends z.input<typeof freshnessQuerySchema> {}

/** The freshness endpoint, in its two uses. */
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
    response: freshnessFields,
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
    response: freshnessEnvelopeFields,
    pageSize: pageSizes.tables,
    selectedBy: Object.keys(freshnessQueryShape),
    errorCodes: { 422: 'FRESHNESS_NOT_CONFIGURED' },
  }),
};
