import * as z from 'zod/mini';

import { type Description, partial } from './description.ts';
import { defineEndpoint } from './endpoint.ts';
import {
  assetParamsSchema,
  definitionsPage,
  deletionFields,
  type Field,
  historyPage,
  intervalSchema,
  nonEmptyText,
  type RequestSchema,
  word,
} from './field.ts';
import {
  type Interval,
  type LiteralUnion,
  type MetricType,
  pageSizes,
  type SnapshotStatus,
} from './vocabulary.ts';

/** The group a value belongs to, by the names of the columns; null for a metric without groups. */
export type GroupValues = Readonly<Record<string, unknown>> | null;

/** A captured value, as the capture returns it. */
export interface CapturedSnapshot {
  /** Numeric id of the snapshot. */
  id: number;
  /** The captured value; null without one, as over no rows. */
  value: number | null;
  /** When the value was captured, ISO 8601, UTC. */
  captured_at: string;
  /** Whether the value differs from what the earlier ones led to expect. */
  is_anomaly: boolean;
  /** `PASS` or `FAIL`; the local service also sends `ERROR`, if the metric could not be evaluated. */
  status: LiteralUnion<SnapshotStatus>;
  /** The group the value belongs to, by the names of `group_by_columns`; null or absent without groups. */
  group_values?: GroupValues | undefined;
  /** Why the metric could not be evaluated; the local service sends it. */
  error_message?: string | null | undefined;
  /** The value that the earlier ones led to expect; the local service sends it. */
  expected_value?: number | null | undefined;
  /** Least value that is not an anomaly; the local service sends it. */
  expected_lower?: number | null | undefined;
  /** Greatest value that is not an anomaly; the local service sends it. */
  expected_upper?: number | null | undefined;
}

/** What of a snapshot is checked. */
export const capturedFields: Description<CapturedSnapshot> = {
  nullable: { value: 'number', is_anomaly: 'boolean', status: 'string' },
};

/** A captured value, as the list of snapshots returns it. */
export interface MetricSnapshot extends CapturedSnapshot {
  /** The numeric `internal_id` of the metric. */
  metric_definition_id: number;
  /** Distance from the expected value in standard deviations; null if there are too few earlier values. */
  z_score: number | null;
}

/** What of a snapshot of a list is checked. */
export const snapshotFields: Description<MetricSnapshot> = capturedFields;

/** A metric. */
export interface Metric {
  /** `m_` and a UUID: the `metric_id` of paths. */
  id: string;
  /** Internal numeric id; snapshots have it as `metric_definition_id`. */
  internal_id: number;
  /** Numeric id of the asset, which is not the UUID in paths. */
  asset_id: number;
  /** The table, as `<catalog>.<schema>.<table>`. */
  table_path: string;
  /** The column that is measured; null if the whole table is. */
  column_name: string | null;
  /** What is measured. */
  metric_type: LiteralUnion<MetricType>;
  /** How often the service captures the metric: `hourly`, `daily` or `weekly`. */
  capture_interval: LiteralUnion<Interval>;
  /** Sensitivity of the anomaly detection: a higher one finds more anomalies. */
  sensitivity: number;
  /** Whether the service captures the metric. */
  is_active: boolean;
  /** When the metric was created, ISO 8601, UTC. */
  created_at: string;
}

const metricCore = {
  table_path: 'string',
  column_name: 'string',
  metric_type: 'string',
  is_active: 'boolean',
} as const;

/** What of a metric is checked. */
export const metricFields: Description<Metric> = { required: { id: 'string' }, nullable: metricCore };

/** A metric with its latest snapshots. */
export interface MetricDetail extends Metric {
  /** Its latest snapshots, unless `include_snapshots` is false; which fields they have is not documented. */
  snapshots?: readonly Partial<MetricSnapshot>[] | undefined;
}

/** What of a metric with its latest snapshots is checked. */
export const metricDetailFields: Description<MetricDetail> = {
  required: { id: 'string' },
  nullable: { ...metricCore, snapshots: [capturedFields] },
};

/** The response to a capture. */
export interface MetricCapture {
  /** How many snapshots were captured. */
  snapshot_count: number;
  /** The captured values: one, or one per group. */
  snapshots: readonly CapturedSnapshot[];
}

/** What of a capture is checked. */
export const captureFields: Description<MetricCapture> = {
  required: { snapshots: [capturedFields] },
  nullable: { snapshot_count: 'number' },
};

/** Counts over the metrics of an asset. */
export interface MetricsSummary {
  /** Metrics of the asset. */
  total_metrics: number;
  /** Metrics that the service captures. */
  active_metrics: number;
  /** Snapshots of all metrics. */
  total_checks: number;
  /** Snapshots that passed. */
  passing: number;
  /** Snapshots that failed. */
  failing: number;
  /** Snapshots with a warning. */
  warning: number;
  /** Captures that could not be evaluated. */
  error: number;
  /** Share of the snapshots that passed, in percent units: 0 to 100. */
  health_percentage: number;
}

/** What of the counts is checked. */
export const metricsSummaryFields: Description<MetricsSummary> = {
  nullable: {
    total_metrics: 'number',
    active_metrics: 'number',
    total_checks: 'number',
    passing: 'number',
    failing: 'number',
    warning: 'number',
    error: 'number',
    health_percentage: 'number',
  },
};

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

/** What every metric can have. */
const commonShape = {
  /** The table, as `<catalog>.<schema>.<table>`. */
  table_path: nonEmptyText,
  /**
   * How often the service captures the metric: `hourly`, `daily` or `weekly`.
   *
   * @default daily
   */
  capture_interval: z.optional(intervalSchema),
  /**
   * Sensitivity of the anomaly detection, more than 0: a higher one finds more anomalies.
   *
   * @default 1
   */
  sensitivity: z.optional(z.number().check(z.gt(0))),
  /** Columns to group by: a capture then has one value per group. No response includes them. */
  group_by_columns: z.optional(z.array(nonEmptyText)),
};

const rowCountShape = {
  ...commonShape,
  /** Counts the rows of the table. */
  metric_type: z.literal('row_count'),
  /** Not needed: the rows of the table are counted. */
  column_name: z.optional(nonEmptyText),
};
const rowCountMetricSchema: RequestSchema<typeof rowCountShape> = z.strictObject(rowCountShape);

/** A metric that counts the rows of a table. */
export interface RowCountMetric extends z.input<typeof rowCountMetricSchema> {}

const columnTypes = [
  'null_percent',
  'distinct_count',
  'duplicate_count',
  'min_value',
  'max_value',
  'avg_value',
] as const satisfies readonly MetricType[];

const columnMetricShape = {
  ...commonShape,
  /** What is measured: the share of nulls in percent, distinct or duplicate values, or the least, greatest or mean one. */
  metric_type: z.literal(columnTypes),
  /** The column to measure. */
  column_name: nonEmptyText,
};
const columnMetricSchema: RequestSchema<typeof columnMetricShape> = z.strictObject(columnMetricShape);

/** A metric that measures a column. */
export interface ColumnMetric extends z.input<typeof columnMetricSchema> {}

const percentileShape = {
  ...commonShape,
  /** Measures a percentile of a column. */
  metric_type: z.literal('percentile'),
  /** The column to measure. */
  column_name: nonEmptyText,
  /** Which percentile, 0 to 100: 50 is the median. No response includes it. */
  percentile_value: z.number().check(z.gte(0), z.lte(100)),
};
const percentileMetricSchema: RequestSchema<typeof percentileShape> = z.strictObject(percentileShape);

/** A metric that measures a percentile of a column. */
export interface PercentileMetric extends z.input<typeof percentileMetricSchema> {}

/** The body that creates a metric, by its type. */
export const metricSchemas = {
  row_count: rowCountMetricSchema,
  null_percent: columnMetricSchema,
  distinct_count: columnMetricSchema,
  duplicate_count: columnMetricSchema,
  min_value: columnMetricSchema,
  max_value: columnMetricSchema,
  avg_value: columnMetricSchema,
  percentile: percentileMetricSchema,
} as const satisfies Readonly<Record<MetricType, z.ZodMiniObject>>;

/** The body that creates a metric: all types but `row_count` need a column, and `percentile` its value. */
export type CreateMetric = RowCountMetric | ColumnMetric | PercentileMetric;

/** The body that creates a metric: all types but `row_count` need a column, and `percentile` its value. */
export const createMetricSchema: Field<CreateMetric> = z.discriminatedUnion('metric_type', [
  rowCountMetricSchema,
  columnMetricSchema,
  percentileMetricSchema,
]);

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
    // zod's partial adds undefined to each type; JSON has no such value.
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
