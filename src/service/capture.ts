import type { GroupValues } from '../contract/metrics-responses.ts';
import { intervalMs } from '../anomalies/interval.ts';
import { memory, newLevelAfter } from '../anomalies/baseline.ts';
import { baselineOf, isCount } from '../anomalies/metric-baseline.ts';
import type { Backend } from './context.ts';
import type { CapturedValue } from './evaluation.ts';
import { metricNotFound } from './problem.ts';
import type { GroupHistory, MetricRecord, SnapshotRecord } from './store.ts';
import { timestamp } from './timestamp.ts';

type NewSnapshot = Omit<SnapshotRecord, 'id'>;

/** What was found of one group, and why if there is nothing to judge. */
interface Finding extends CapturedValue {
  readonly error_message?: string;
}

/** Captures a metric and stores its snapshots: one, or one per group. Of a capture that is aborted, nothing is stored. */
export async function runCapture(
  backend: Backend,
  metric: MetricRecord,
  signal?: AbortSignal,
): Promise<readonly SnapshotRecord[]> {
  const { store, evaluation, now } = backend;
  const captured = await evaluation.captureMetric(metric, signal);
  const capturedAt = timestamp(now());
  const snapshots =
    'error_message' in captured
      ? [judge(metric, { value: null, group_values: null, ...captured }, undefined, capturedAt)]
      : judgeGroups(metric, captured, await store.snapshots.history(metric.internal_id, memory), capturedAt);
  // The metric may have been deleted during a long capture: a snapshot without one would stay for ever.
  if ((await store.metrics.get(metric.asset_id, metric.id)) === undefined) throw metricNotFound(metric.id);
  return store.snapshots.insert(snapshots);
}

function judgeGroups(
  metric: MetricRecord,
  captured: readonly CapturedValue[],
  histories: readonly GroupHistory[],
  capturedAt: string,
): readonly NewSnapshot[] {
  const byGroup = new Map(histories.map((history) => [JSON.stringify(history.group_values), history]));
  const found = new Set(captured.map(({ group_values }) => JSON.stringify(group_values)));
  const gone =
    metric.group_by_columns.length === 0
      ? []
      : histories.filter((history) => isMissed(metric, history, found, capturedAt));
  const findings: readonly Finding[] = [
    ...captured,
    ...gone.map((history) => goneGroup(metric, history.group_values)),
  ];
  return findings.map((finding) =>
    judge(metric, finding, byGroup.get(JSON.stringify(finding.group_values)), capturedAt),
  );
}

/** Whether a group was there, is not any more, and that has not become normal. */
function isMissed(
  metric: MetricRecord,
  { group_values, points }: GroupHistory,
  found: ReadonlySet<string>,
  capturedAt: string,
): boolean {
  const latest = points.at(-1);
  if (group_values === null || found.has(JSON.stringify(group_values))) return false;
  if (latest === undefined || latest.value === null) return false;
  if (isCount(metric)) return points.slice(-newLevelAfter).some(({ value }) => value !== 0);
  const age = Date.parse(capturedAt) - Date.parse(latest.captured_at);
  return age <= newLevelAfter * intervalMs(metric.capture_interval);
}

function goneGroup(metric: MetricRecord, group: GroupValues): Finding {
  if (isCount(metric)) return { value: 0, group_values: group };
  const names = Object.entries(group ?? {}).map(([column, value]) => `${column} = ${String(value)}`);
  return {
    value: null,
    group_values: group,
    error_message: `The group is gone: no row has ${names.join(' and ')}`,
  };
}

function judge(
  metric: MetricRecord,
  finding: Finding,
  history: GroupHistory | undefined,
  capturedAt: string,
): NewSnapshot {
  const { value, group_values } = finding;
  const snapshot = {
    metric_definition_id: metric.internal_id,
    value,
    group_values,
    captured_at: capturedAt,
    accepted: false,
  };
  if (value === null) {
    return {
      ...snapshot,
      is_anomaly: finding.is_anomaly ?? false,
      z_score: finding.z_score ?? null,
      expected_value: null,
      expected_lower: null,
      expected_upper: null,
      status: finding.status ?? 'ERROR',
      error_message: finding.error_message ?? nothingToJudge(metric),
      teaches: false,
    };
  }
  const at = Date.parse(capturedAt);
  const baseline = replay(metric, history);
  baseline.advanceTo(at);
  const { expected, lower, upper, zScore, isAnomaly } = baseline.judge(value, at);
  const is_anomaly = finding.is_anomaly ?? isAnomaly;
  return {
    ...snapshot,
    is_anomaly,
    z_score: finding.z_score === undefined ? zScore : finding.z_score,
    expected_value: expected,
    expected_lower: lower,
    expected_upper: upper,
    status: finding.status ?? (is_anomaly ? 'FAIL' : 'PASS'),
    error_message: null,
    teaches: baseline.teaches(value, at),
  };
}

/** Learns from what is remembered of a group. */
function replay(metric: MetricRecord, history: GroupHistory | undefined) {
  const create = () => baselineOf(metric, metric.group_by_columns.length > 0);
  let baseline = create();
  for (const { value, captured_at, accepted } of history?.points ?? []) {
    const at = Date.parse(captured_at);
    // A group whose end was accepted begins again.
    if (value === null) baseline = create();
    else if (accepted) baseline.accept(value, at);
    else baseline.learn(value, at);
  }
  return baseline;
}

function nothingToJudge({ metric_type, column_name, table_path }: MetricRecord): string {
  return `There is no ${metric_type} to judge: ${table_path} has no rows, or ${column_name ?? 'the column'} has no numbers`;
}
