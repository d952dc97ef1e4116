// The body that creates a metric, by its type.
import * as z from 'zod/mini';

import { type Field, intervalSchema, nonEmptyText, percent, type RequestSchema } from './field.ts';
import type { MetricType } from './vocabulary.ts';

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
  percentile_value: percent,
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
