import * as z from 'zod/mini';

import { createMetricSchema } from './create-metric.ts';
import { partial } from './description.ts';
import { defineEndpoint } from './endpoint.ts';
import {
  assetParamsSchema,
  definitionsPage,
  deletionFields,
  historyPage,
  intervalSchema,
  nonEmptyText,
  type RequestSchema,
  word,
} from './field.ts';
import {
  captureFields,
  metricDetailFields,
  metricFields,
  metricsSummaryFields,
  snapshotFields,
} from './metrics-responses.ts';
import { type MetricType, pageSizes } from './vocabulary.ts';

const metricParamsSchema = z.strictObject({ asset_id: nonEmptyText, metric_id: nonEmptyText });

const listFilter = {
  /** Only metrics of this type. */
  metric_type: z.optional(word<MetricType>()),
  /** Only active metrics, or only inactive ones. */
  is_active: z.optional(z.boolean()),
};

const listQueryShape: typeof listFilter & typeof definitionsPage = { ...listFilter, ...definitionsPage };

/** The query of the list of metrics. */
export const metricsListQuerySchema: RequestSchema<typeof listQueryShape> = z.strictObject(listQueryShape);

/** The query of the list of metrics. */
export interface MetricsListQuery extends z.input<typeof metricsListQuerySchema> {}

const getQueryShape = {
  /**
   * Whether the response includes the latest snapshots.
   *
   * @default true
   */
  include_snapshots: z.optional(z.boolean()),
  /**
   * Most snapshots to include, at least 1.
   *
   * @default 30
   */
  snapshot_limit: z.optional(z.int().check(z.gte(1))),
};

/** The query of the detail of a metric. */
export const metricGetQuerySchema: RequestSchema<typeof getQueryShape> = z.strictObject(getQueryShape);

/** The query of the detail of a metric. */
export interface MetricGetQuery extends z.input<typeof metricGetQuerySchema> {}

/** The query of the list of a metric's snapshots. */
export const metricSnapshotsQuerySchema: RequestSchema<typeof historyPage> = z.strictObject(historyPage);

/** The query of the list of a metric's snapshots. */
export interface MetricSnapshotsQuery extends z.input<typeof metricSnapshotsQuerySchema> {}

const updateShape = {
  /** Whether the service captures the metric. */
  is_active: z.optional(z.boolean()),
  /** How often the service captures the metric: `hourly`, `daily` or `weekly`. */
  capture_interval: z.optional(intervalSchema),
  /** Sensitivity of the anomaly detection, more than 0: a higher one finds more anomalies. */
  sensitivity: z.optional(z.number().check(z.gt(0))),
};

/** The body that changes a metric. */
export const updateMetricSchema: RequestSchema<typeof updateShape> = z.strictObject(updateShape);

/** The body that changes a metric. */
export interface UpdateMetric extends z.input<typeof updateMetricSchema> {}

/** The endpoints of the metrics. */
export const metricsEndpoints = {
  summary: defineEndpoint({
    name: 'metrics.summary',
    summary: 'Counts the metrics of an asset and the outcomes of their captures.',
    method: 'GET',
    path: '/api/v1/sdk/metrics/{asset_id}/summary',
    retry: 'safe',
    scope: 'read-only',
    request: { params: assetParamsSchema },
    envelope: 'object',
    response: metricsSummaryFields,
  }),
  list: defineEndpoint({
    name: 'metrics.list',
    summary: 'Lists the metrics of an asset.',
    method: 'GET',
    path: '/api/v1/sdk/metrics/{asset_id}',
    retry: 'safe',
    scope: 'read-only',
    request: { params: assetParamsSchema, query: metricsListQuerySchema },
    envelope: 'list',
    response: metricFields,
    pageSize: pageSizes.definitions,
  }),
  get: defineEndpoint({
    name: 'metrics.get',
    summary: 'Returns one metric, with its latest snapshots.',
    method: 'GET',
    path: '/api/v1/sdk/metrics/{asset_id}/{metric_id}',
    retry: 'safe',
    scope: 'read-only',
    request: { params: metricParamsSchema, query: metricGetQuerySchema },
    envelope: 'object',
    response: metricDetailFields,
  }),
  create: defineEndpoint({
    name: 'metrics.create',
    summary: 'Creates a metric.',
    method: 'POST',
    path: '/api/v1/sdk/metrics/{asset_id}',
    retry: 'never',
    scope: 'read-write',
    request: { params: assetParamsSchema, body: createMetricSchema },
    envelope: 'object',
    response: metricFields,
  }),
  update: defineEndpoint({
    name: 'metrics.update',
    summary: 'Changes a metric.',
    method: 'PATCH',
    path: '/api/v1/sdk/metrics/{asset_id}/{metric_id}',
    retry: 'idempotent',
    scope: 'read-write',
    request: { params: metricParamsSchema, body: updateMetricSchema },
    envelope: 'optional',
    response: partial(metricFields),
  }),
  delete: defineEndpoint({
    name: 'metrics.delete',
    summary: 'Deletes a metric.',
    method: 'DELETE',
    path: '/api/v1/sdk/metrics/{asset_id}/{metric_id}',
    retry: 'idempotent',
    scope: 'read-write',
    request: { params: metricParamsSchema },
    envelope: 'deletion',
    response: deletionFields,
  }),
  capture: defineEndpoint({
    name: 'metrics.capture',
    summary: 'Captures the value of a metric now.',
    method: 'POST',
    path: '/api/v1/sdk/metrics/{asset_id}/{metric_id}/capture',
    retry: 'never',
    scope: 'read-write',
    request: { params: metricParamsSchema },
    envelope: 'object',
    response: captureFields,
    timeout: 300_000,
  }),
  snapshots: defineEndpoint({
    name: 'metrics.snapshots',
    summary: 'Lists the snapshots of a metric, newest first.',
    method: 'GET',
    path: '/api/v1/sdk/metrics/{asset_id}/{metric_id}/snapshots',
    retry: 'safe',
    scope: 'read-only',
    request: { params: metricParamsSchema, query: metricSnapshotsQuerySchema },
    envelope: 'list',
    response: snapshotFields,
    pageSize: pageSizes.history,
  }),
};
