import * as z from 'zod/mini';

import { defineEndpoint, type Schema } from './endpoint.ts';
import {
  assetParamsSchema,
  deletionSchema,
  intervalSchema,
  maybe,
  nonEmptyText,
  openEnum,
  pageOf100,
  pageOfAnySize,
} from './field.ts';
import { intervals, metricTypes, pageSizes, snapshotStatuses } from './vocabulary.ts';

/** One captured value (interface: Metric snapshot). */
export const metricSnapshotSchema = z.looseObject({
  id: z.number(),
  /** The metric's numeric id; lists carry it. */
  metric_definition_id: maybe(z.number()),
  value: maybe(z.number()),
  /** ISO 8601, UTC. */
  captured_at: maybe(z.string()),
  is_anomaly: maybe(z.boolean()),
  /** Distance from the earlier values in standard deviations; lists carry it. */
  z_score: maybe(z.number()),
  status: maybe(openEnum(snapshotStatuses)),
});

/** One captured value. */
export type MetricSnapshot = z.infer<typeof metricSnapshotSchema>;

/** A metric (interface: Metric). */
export const metricSchema = z.looseObject({
  /** `m_` and a UUID; the `metric_id` of paths. */
  id: z.string(),
  internal_id: maybe(z.number()),
  /** Numeric asset id, distinct from the UUID in paths. */
  asset_id: maybe(z.number()),
  /** `<catalog>.<schema>.<table>`. */
  table_path: maybe(z.string()),
  column_name: maybe(z.string()),
  metric_type: maybe(openEnum(metricTypes)),
  capture_interval: maybe(openEnum(intervals)),
  /** Sensitivity of the anomaly detection; the service's default is 1. */
  sensitivity: maybe(z.number()),
  is_active: maybe(z.boolean()),
  /** ISO 8601, UTC. */
  created_at: maybe(z.string()),
});

/** A metric. */
export type Metric = z.infer<typeof metricSchema>;

/** A metric as its detail response carries it; the shape of its snapshots is not shown (interface: Metric snapshot). */
export const metricDetailSchema = z.looseObject({
  ...metricSchema.shape,
  snapshots: maybe(z.array(z.partial(metricSnapshotSchema))),
});

/** A metric as its detail response carries it. */
export type MetricDetail = z.infer<typeof metricDetailSchema>;

/** What a capture answers: one snapshot, or one a group (interface: Metrics, POST capture). */
export const metricCaptureSchema = z.looseObject({
  snapshot_count: maybe(z.number()),
  snapshots: z.array(metricSnapshotSchema),
});

/** What a capture answers: one snapshot, or one a group. */
export type MetricCapture = z.infer<typeof metricCaptureSchema>;

/** Counts over the metrics of an asset (interface: Metrics summary). */
export const metricsSummarySchema = z.looseObject({
  total_metrics: maybe(z.number()),
  active_metrics: maybe(z.number()),
  total_checks: maybe(z.number()),
  passing: maybe(z.number()),
  failing: maybe(z.number()),
  warning: maybe(z.number()),
  error: maybe(z.number()),
  /** Percent units. */
  health_percentage: maybe(z.number()),
});

/** Counts over the metrics of an asset. */
export type MetricsSummary = z.infer<typeof metricsSummarySchema>;

const metricParamsSchema = z.strictObject({ asset_id: nonEmptyText, metric_id: nonEmptyText });

/** Query of the list of metrics (interface: Metrics, GET). */
export const metricsListQuerySchema = z.strictObject({
  metric_type: z.optional(openEnum(metricTypes)),
  is_active: z.optional(z.boolean()),
  ...pageOf100,
});

/** Query of the list of metrics. */
export type MetricsListQuery = z.input<typeof metricsListQuerySchema>;

/** Query of a metric's detail (interface: Metrics, GET metric). */
export const metricGetQuerySchema = z.strictObject({
  /** Default true. */
  include_snapshots: z.optional(z.boolean()),
  /** Most snapshots to include; the service's default is 30. */
  snapshot_limit: z.optional(z.int().check(z.gte(1))),
});

/** Query of a metric's detail. */
export type MetricGetQuery = z.input<typeof metricGetQuerySchema>;

/** Query of the list of a metric's snapshots (interface: Metrics, GET snapshots). */
export const metricSnapshotsQuerySchema = z.strictObject(pageOfAnySize);

/** Query of the list of a metric's snapshots. */
export type MetricSnapshotsQuery = z.input<typeof metricSnapshotsQuerySchema>;

const metricFields = {
  /** `<catalog>.<schema>.<table>`. */
  table_path: nonEmptyText,
  /** Default `daily`. */
  capture_interval: z.optional(intervalSchema),
  /** Default 1. */
  sensitivity: z.optional(z.number().check(z.gt(0))),
  group_by_columns: z.optional(z.array(nonEmptyText)),
};

/** Body that creates a metric: all types but `row_count` need a column, `percentile` its value (interface: Create metric body). */
export const createMetricSchema = z.discriminatedUnion('metric_type', [
  z.strictObject({
    metric_type: z.literal('row_count'),
    column_name: z.optional(nonEmptyText),
    ...metricFields,
  }),
  z.strictObject({
    metric_type: z.literal([
      'null_percent',
      'distinct_count',
      'duplicate_count',
      'min_value',
      'max_value',
      'avg_value',
    ]),
    column_name: nonEmptyText,
    ...metricFields,
  }),
  z.strictObject({
    metric_type: z.literal('percentile'),
    column_name: nonEmptyText,
    /** 0 to 100. */
    percentile_value: z.number().check(z.gte(0), z.lte(100)),
    ...metricFields,
  }),
]);

/** Body that creates a metric: all types but `row_count` need a column, `percentile` its value. */
export type CreateMetric = z.input<typeof createMetricSchema>;

/** Body that changes a metric (interface: Metrics, PATCH). */
export const updateMetricSchema = z.strictObject({
  is_active: z.optional(z.boolean()),
  capture_interval: z.optional(intervalSchema),
  sensitivity: z.optional(z.number().check(z.gt(0))),
});

/** Body that changes a metric. */
export type UpdateMetric = z.input<typeof updateMetricSchema>;

/** The endpoints of the metrics (interface: Metrics). */
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
    response: metricsSummarySchema,
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
    response: metricSchema,
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
    response: metricDetailSchema,
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
    response: metricSchema,
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
    // zod's partial adds undefined to each type; JSON has no such value.
    response: z.partial(metricSchema) as unknown as Schema<Partial<Metric>>,
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
    response: deletionSchema,
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
    response: metricCaptureSchema,
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
    response: metricSnapshotSchema,
    pageSize: pageSizes.history,
  }),
};
