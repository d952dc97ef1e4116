import type { Description } from './description.ts';
import type { Interval, LiteralUnion, MetricType, SnapshotStatus } from './vocabulary.ts';

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
