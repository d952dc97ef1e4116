import { baselineOf, type JudgedMetric } from './metric-baseline.ts';

/** A captured value, as snapshots of a metric have it; other fields are ignored. */
export interface PastSnapshot {
  /** The captured value; a snapshot without one is skipped. */
  readonly value?: number | null | undefined;
  /** ISO 8601. */
  readonly captured_at?: string | null | undefined;
  /** The group the value belongs to; null or absent for a metric without groups. */
  readonly group_values?: unknown;
  /** Whether the value was accepted as normal; the local service sends it. */
  readonly accepted?: unknown;
}

/** What a capture would have been judged as. */
export interface BacktestPoint {
  /** ISO 8601. */
  readonly captured_at: string;
  /** The captured value. */
  readonly value: number;
  /** The group the value belongs to; null for a metric without groups. */
  readonly group_values: Readonly<Record<string, unknown>> | null;
  /** The value that the earlier captures let expect; null while there are fewer than five. */
  readonly expected_value: number | null;
  /** The smallest value that is not an anomaly. */
  readonly expected_lower: number | null;
  /** The largest value that is not an anomaly. */
  readonly expected_upper: number | null;
  /** Distance from the expected value; an anomaly from 3 / sensitivity on. */
  readonly z_score: number | null;
  /** Whether it would have been reported as an anomaly. */
  readonly is_anomaly: boolean;
}

/** What a sensitivity would have reported. */
export interface Backtest {
  /** The sensitivity that was tried. */
  readonly sensitivity: number;
  /** Captures with enough history to be judged. */
  readonly judged: number;
  /** How many of them would have been anomalies. */
  readonly anomalies: number;
  /** The days (`YYYY-MM-DD`, UTC) with at least one anomaly. */
  readonly days: readonly string[];
  /** Every capture with a value, oldest first. */
  readonly points: readonly BacktestPoint[];
}

/**
 * Replays the captures of a metric, in any order, and returns which would have been anomalies. Judges with the code
 * of the local service and the fake; a hosted service may judge differently.
 *
 * @throws RangeError if the sensitivity is not a positive number.
 * @example
 * const metric = await client.metrics.get(assetId, metricId);
 * const snapshots = await client.metrics.snapshots(assetId, metricId).toArray();
 * const { anomalies, days } = backtest(snapshots, { ...metric, sensitivity: 0.8 });
 */
export function backtest(snapshots: Iterable<PastSnapshot>, metric: JudgedMetric = {}): Backtest {
  const sensitivity = metric.sensitivity ?? 1;
  if (!(sensitivity > 0 && Number.isFinite(sensitivity))) {
    throw new RangeError(`sensitivity must be a positive number, not ${sensitivity}`);
  }
  const captures = [...snapshots]
    .flatMap((snapshot) => readCapture(snapshot))
    .toSorted((a, b) => a.at - b.at);
  const groups = Map.groupBy(captures, ({ group_values }) => JSON.stringify(group_values));
  const points = Array.from(groups.values(), (group) => replay(group, metric))
    .flat()
    .toSorted((a, b) => a.at - b.at)
    .map(({ point }) => point);
  const anomalies = points.filter(({ is_anomaly }) => is_anomaly);
  return {
    sensitivity,
    judged: points.filter(({ expected_value }) => expected_value !== null).length,
    anomalies: anomalies.length,
    days: [...new Set(anomalies.map(({ captured_at }) => captured_at.slice(0, 10)))],
    points,
  };
}

interface Capture {
  readonly at: number;
  readonly captured_at: string;
  readonly value: number;
  readonly group_values: Readonly<Record<string, unknown>> | null;
  readonly accepted: boolean;
}

function readCapture({ value, captured_at, group_values, accepted }: PastSnapshot): Capture[] {
  const at = Date.parse(captured_at ?? '');
  if (typeof value !== 'number' || !Number.isFinite(value) || Number.isNaN(at)) return [];
  const group = typeof group_values === 'object' ? (group_values as Capture['group_values']) : null;
  return [
    { at, captured_at: new Date(at).toISOString(), value, group_values: group, accepted: accepted === true },
  ];
}

function replay(captures: readonly Capture[], metric: JudgedMetric) {
  const baseline = baselineOf(metric, captures[0]?.group_values !== null);
  return captures.map(({ at, captured_at, value, group_values, accepted }) => {
    baseline.advanceTo(at);
    const { expected, lower, upper, zScore, isAnomaly } = baseline.judge(value, at);
    if (accepted) baseline.accept(value, at);
    else baseline.learn(value, at);
    const point: BacktestPoint = {
      captured_at,
      value,
      group_values,
      expected_value: expected,
      expected_lower: lower,
      expected_upper: upper,
      z_score: zScore,
      is_anomaly: isAnomaly,
    };
    return { at, point };
  });
}
