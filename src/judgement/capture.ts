import type { CapturedSnapshot, Metric } from '../contract/metrics-responses.ts';
import { asRecord, describeStatus, normalize } from './field.ts';
import { formatMeasured, formatNumber } from './number.ts';
import type { Judgement } from './outcome.ts';

/** The snapshots of a metric that are judged together: one, or one per group. */
export interface CapturedSnapshots {
  /** How many there are, if the response says so; another number than there are makes them inconclusive. */
  readonly snapshot_count?: number | null | undefined;
  /** The snapshots of one capture. */
  readonly snapshots: readonly CapturedSnapshot[];
}

/** How strictly a capture is judged. */
export interface JudgeCaptureOptions {
  /** The metric that was captured: a `row_count` of 0 means that the table is empty. */
  readonly metric?: Pick<Metric, 'metric_type'> | undefined;
  /**
   * Whether a `row_count` of 0 may pass.
   *
   * @default false
   */
  readonly allowEmpty?: boolean | undefined;
}

/**
 * Judges a capture. An anomaly, or the status `FAIL`, in any group fails. It passes only if every snapshot has a
 * value and the status `PASS` (in any case); everything else is inconclusive: `WARNING`, `ERROR`, an unknown or
 * missing status, no value, no snapshot, fewer or more snapshots than `snapshot_count`, a table without rows.
 *
 * @example
 * const { outcome, reason } = judgeCapture(await client.metrics.capture(assetId, metric.id), { metric });
 * if (outcome !== 'passed') console.error(outcome, reason);
 */
export function judgeCapture(
  capture: CapturedSnapshots,
  { metric, allowEmpty = false }: JudgeCaptureOptions = {},
): Judgement {
  // Without validation of responses, every field can be anything.
  const { snapshots: list, snapshot_count: announced } = asRecord(capture);
  const snapshots = Array.isArray(list) ? list.map(asRecord) : [];
  const anomalies = snapshots.filter(isAnomaly);
  const [first] = anomalies;
  if (first !== undefined) {
    const groups =
      snapshots.length === 1 ? '' : ` in ${anomalies.length} of ${formatNumber(snapshots.length)} groups`;
    return { outcome: 'failed', reason: `${describeValue(first)} is an anomaly${groups}` };
  }
  const isEmptyTable =
    normalize(asRecord(metric)['metric_type']) === 'row_count' &&
    snapshots.every(({ value }) => value === 0) &&
    !allowEmpty;
  const doubt =
    findMissing(snapshots, announced) ??
    snapshots.map(findDoubt).find((found) => found !== undefined) ??
    (isEmptyTable ? 'the table has no rows' : undefined);
  return doubt === undefined ? { outcome: 'passed' } : { outcome: 'inconclusive', reason: doubt };
}

/** Whether a snapshot was judged an anomaly: by its flag, or by its status. */
export function isAnomaly(snapshot: unknown): boolean {
  const { is_anomaly, status } = asRecord(snapshot);
  return is_anomaly === true || normalize(status) === 'fail';
}

type Fields = Readonly<Record<string, unknown>>;

function findMissing(snapshots: readonly Fields[], announced: unknown): string | undefined {
  if (snapshots.length === 0) return 'the capture returned no value';
  if (announced === undefined || announced === null || announced === snapshots.length) return undefined;
  return `the capture announced ${JSON.stringify(announced)} snapshots and returned ${snapshots.length}`;
}

/** Why a snapshot that is not an anomaly can't be trusted, if anything speaks against it. */
function findDoubt({ value, status, is_anomaly }: Fields): string | undefined {
  if (normalize(status) !== 'pass') return `the capture ended with ${describeStatus(status)}`;
  if (typeof value !== 'number') return 'the capture returned no value';
  const isKnown = is_anomaly === false || is_anomaly === undefined || is_anomaly === null;
  return isKnown ? undefined : 'the capture does not say clearly whether the value is an anomaly';
}

function describeValue({ value }: Fields): string {
  return typeof value === 'number' ? `the value ${formatMeasured(value)}` : 'the missing value';
}
