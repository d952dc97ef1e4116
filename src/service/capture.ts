import { deviationOf } from './anomaly.ts';
import type { Backend } from './context.ts';
import type { CapturedValue } from './evaluation.ts';
import { metricNotFound } from './problem.ts';
import type { MetricRecord, SnapshotRecord } from './store.ts';
import { timestamp } from './timestamp.ts';

type NewSnapshot = Omit<SnapshotRecord, 'id'>;

/** Captures a metric and stores its snapshots: one, or one a group (interface: Metrics, rule 3). */
export async function runCapture(backend: Backend, metric: MetricRecord): Promise<readonly SnapshotRecord[]> {
  const { store, evaluation, now } = backend;
  const captured = await evaluation.captureMetric(metric);
  const capturedAt = timestamp(now());
  const snapshots =
    'error_message' in captured
      ? [failedSnapshot(metric, captured.error_message, capturedAt)]
      : await Promise.all(captured.map(async (value) => judge(backend, metric, value, capturedAt)));
  // The metric may have been deleted during a long capture: a snapshot without one would stay for ever.
  if ((await store.metrics.get(metric.asset_id, metric.id)) === undefined) throw metricNotFound(metric.id);
  return store.snapshots.insert(snapshots);
}

async function judge(
  { store }: Backend,
  metric: MetricRecord,
  captured: CapturedValue,
  capturedAt: string,
): Promise<NewSnapshot> {
  const { value, group_values } = captured;
  const history = await store.snapshots.values(metric.internal_id, group_values);
  const found = deviationOf(value, history, metric.sensitivity);
  const isAnomaly = captured.is_anomaly ?? found.is_anomaly;
  return {
    metric_definition_id: metric.internal_id,
    value,
    group_values,
    captured_at: capturedAt,
    is_anomaly: isAnomaly,
    z_score: captured.z_score === undefined ? found.z_score : captured.z_score,
    status: captured.status ?? (isAnomaly ? 'FAIL' : 'PASS'),
    error_message: null,
  };
}

function failedSnapshot(metric: MetricRecord, message: string, capturedAt: string): NewSnapshot {
  return {
    metric_definition_id: metric.internal_id,
    value: null,
    group_values: null,
    captured_at: capturedAt,
    is_anomaly: false,
    z_score: null,
    status: 'ERROR',
    error_message: message,
  };
}
