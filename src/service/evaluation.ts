import type { Freshness, GroupValues, InvalidSample } from '../contract/index.ts';
import type { Asset, MetricRecord, RuleRecord } from './store.ts';

/** A field that was refused, and why; becomes the `details` of a `VALIDATION_ERROR`. */
export interface FieldProblem {
  /** Dotted, such as `rule_config.pattern`. */
  readonly field: string;
  readonly error: string;
}

/** What a check counted. */
export interface CheckCounts {
  readonly total_rows: number;
  readonly invalid_count: number;
  /** At most as many as were asked for. */
  readonly samples: readonly InvalidSample[];
  /** Replaces what `alert_threshold_percent` would say. */
  readonly status?: string;
  /** Replaces 100 · invalid_count / total_rows. */
  readonly invalid_percent?: number;
  /** Replaces the time that was measured, in ms. */
  readonly execution_duration_ms?: number;
}

/** A rule or metric that can't be evaluated: no such table or column, a bad expression. */
export interface EvaluationFailure {
  readonly error_message: string;
}

/** One value of a metric. */
export interface CapturedValue {
  /** Null if there is nothing to compute it from. */
  readonly value: number | null;
  /** Why `value` is null. */
  readonly error_message?: string;
  readonly group_values: GroupValues;
  /** Replaces what the history would say. */
  readonly is_anomaly?: boolean;
  /** Replaces what the history would say. */
  readonly z_score?: number | null;
  /** Replaces FAIL for an anomaly and PASS otherwise. */
  readonly status?: string;
}

/** What is configured and known about the age of an asset's data; the service judges it. */
export interface FreshnessReading {
  /** The table that is looked at. */
  readonly table_path: string | null;
  /** A number with a unit: `90m`, `24h`, `2d`. */
  readonly sla_threshold: string;
  readonly timestamp_column: string | null;
  /** The newest value, ISO 8601, UTC; null without data. */
  readonly last_updated: string | null;
  /** Why it is null, or what was left out. */
  readonly message?: string | null;
  /** Fields that replace what the service would return. */
  readonly override?: Partial<Freshness>;
}

/**
 * What the service computes about data. A failure that the data or the definition explains is returned;
 * what is thrown becomes a 500 without its message. A signal that is aborted, because whoever asked has left, ends
 * what nobody else waits for, and rejects with its reason.
 */
export interface Evaluation {
  /** Refuses a rule that the engine could never evaluate, such as a REGEX with an invalid pattern. */
  validateRule(rule: Omit<RuleRecord, 'id'>): Promise<FieldProblem | undefined>;
  /** Counts the rows that break a rule; `sampleLimit` may be 0. */
  checkRule(
    rule: RuleRecord,
    sampleLimit: number,
    signal?: AbortSignal,
  ): Promise<CheckCounts | EvaluationFailure>;
  /** Computes a metric: one value, or one per group. */
  captureMetric(
    metric: MetricRecord,
    signal?: AbortSignal,
  ): Promise<readonly CapturedValue[] | EvaluationFailure>;
  /** Reads the age of an asset's data, once for each table whose freshness is configured. */
  freshness(asset: Asset): Promise<readonly FreshnessReading[]>;
  /** The `table_path` of every table of an asset. */
  tables(asset: Asset): Promise<readonly string[]>;
}
