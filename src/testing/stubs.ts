import type { Freshness, GroupValues, InvalidSample } from '../contract/index.ts';
import type {
  CapturedValue,
  CheckCounts,
  Evaluation,
  EvaluationFailure,
  FreshnessReading,
} from '../service/evaluation.ts';
import { thresholdMinutes } from '../contract/threshold.ts';
import type { Asset } from '../service/store.ts';
import { validateRule } from './validate-rule.ts';
import { timestamp } from '../service/timestamp.ts';

/** What checks of a rule find; every field may be left out. */
export interface FakeCheckResult {
  /**
   * The outcome; `error` makes a rule that can't be evaluated.
   *
   * @default what `alert_threshold_percent` says
   */
  readonly status?: 'pass' | 'fail' | 'error' | (string & {});
  /**
   * How many rows were checked.
   *
   * @default `invalid_count`, or 100 if no row is invalid
   */
  readonly total_rows?: number;
  /**
   * How many rows are invalid.
   *
   * @default the number of samples
   */
  readonly invalid_count?: number;
  /**
   * Percent units.
   *
   * @default 100 · invalid_count / total_rows
   */
  readonly invalid_percent?: number;
  /** Invalid rows; a check returns at most its `sample_limit` of them. */
  readonly samples?: readonly InvalidSample[];
  /**
   * How long the check took, in milliseconds.
   *
   * @default the time it really took
   */
  readonly execution_duration_ms?: number;
  /** Why the rule can't be evaluated; makes the status `error`. */
  readonly error_message?: string;
}

/** What a capture of a metric finds; what is left out follows from the earlier snapshots. */
export interface FakeMetricValue {
  /** The captured value; null without one. */
  readonly value: number | null;
  /** The group the value belongs to. */
  readonly group_values?: GroupValues;
  /**
   * Whether it is an anomaly.
   *
   * @default as the earlier snapshots let expect
   */
  readonly is_anomaly?: boolean;
  /**
   * Distance from the expected value, in standard deviations.
   *
   * @default as the earlier snapshots let expect
   */
  readonly z_score?: number | null;
  /**
   * Outcome of the capture.
   *
   * @default 'FAIL' for an anomaly, else 'PASS'
   */
  readonly status?: 'PASS' | 'FAIL' | (string & {});
}

/** What a test has set, in place of an engine. */
export interface Stubs extends Evaluation {
  setCheckResult(ruleId: string, result: FakeCheckResult): void;
  setMetricValue(metricId: string, values: readonly FakeMetricValue[]): void;
  setFreshness(assetId: string, freshness: Partial<Freshness> | null): void;
  /** Returns what was set, completed; undefined if nothing was. */
  readFreshness(assetId: string): FreshnessReading | undefined;
}

/** Creates stubs: until a test sets something, every rule passes over a table of 100 rows, and every metric but row_count is 0. */
export function createStubs(now: () => number): Stubs {
  const checks = new Map<string, FakeCheckResult>();
  const values = new Map<string, readonly FakeMetricValue[]>();
  const freshness = new Map<string, Partial<Freshness>>();
  const readFreshness = (assetId: string) => {
    const set = freshness.get(assetId);
    return set === undefined ? undefined : freshnessReading(set, now());
  };

  return {
    setCheckResult: (ruleId, result) => void checks.set(ruleId, result),
    setMetricValue: (metricId, captured) => void values.set(metricId, captured),
    setFreshness(assetId, value) {
      if (value === null) freshness.delete(assetId);
      else freshness.set(assetId, value);
    },

    validateRule: async (rule) => validateRule(rule),
    checkRule: async ({ uuid }) => checkOutcome(checks.get(uuid) ?? {}),
    captureMetric: async ({ id, metric_type }) =>
      (values.get(id) ?? [{ value: metric_type === 'row_count' ? defaultRows : 0 }]).map(capturedValue),
    async freshness(asset: Asset) {
      const reading = readFreshness(asset.id);
      return reading === undefined ? [] : [reading];
    },
    readFreshness,
    tables: async (asset: Asset) => (freshness.has(asset.id) ? [fakeTable] : []),
  };
}

const fakeTable = 'warehouse.public.orders';

/** An empty table would make every gate inconclusive. */
const defaultRows = 100;

function checkOutcome(set: FakeCheckResult): CheckCounts | EvaluationFailure {
  if (set.error_message !== undefined || set.status === 'error') {
    return { error_message: set.error_message ?? 'The rule could not be evaluated' };
  }
  const {
    samples = [],
    invalid_count = samples.length,
    total_rows = invalid_count || defaultRows,
    ...rest
  } = set;
  return { ...rest, samples, invalid_count, total_rows };
}

function capturedValue({ group_values = null, ...rest }: FakeMetricValue): CapturedValue {
  return { group_values, ...rest };
}

/** Makes up what the test left out, in agreement with what it set. */
function freshnessReading(set: Partial<Freshness>, now: number) {
  const threshold = set.sla_threshold ?? '24h';
  const ageByStatus = new Map<unknown, number>([
    ['fresh', 0],
    ['stale', 2 * (thresholdMinutes(threshold) ?? 0)],
  ]);
  const age = set.data_age_minutes ?? ageByStatus.get(set.status ?? 'fresh');
  const newest = age === undefined ? null : timestamp(now - age * 60_000);
  return {
    table_path: fakeTable,
    sla_threshold: threshold,
    timestamp_column: set.timestamp_column === undefined ? 'updated_at' : set.timestamp_column,
    last_updated: set.last_updated ?? newest,
    override: set,
  };
}
