import type { CapturedSnapshot, MetricSnapshot } from '../index.ts';
import { isAnomaly, judgeCapture } from '../judgement/capture.ts';
import { paintedBy } from './status.ts';
import { table } from './table.ts';

/** Captured values as a table, with the group of each if the metric has groups. */
export function snapshotTable(snapshots: readonly MetricSnapshot[]): string {
  const grouped = snapshots.some((snapshot) => groupOf(snapshot) !== undefined);
  return table(
    ['CAPTURED AT', 'VALUE', 'STATUS', 'ANOMALY', 'Z-SCORE', ...(grouped ? ['GROUP'] : [])],
    snapshots.map((snapshot) => [
      snapshot.captured_at,
      snapshot.value,
      paintedBy(judgeCapture({ snapshots: [snapshot] }).outcome, snapshot.status),
      isAnomaly(snapshot) ? 'yes' : 'no',
      typeof snapshot.z_score === 'number' ? snapshot.z_score.toFixed(2) : undefined,
      ...(grouped ? [groupOf(snapshot)] : []),
    ]),
    [1, 4],
  );
}

/** The group of a snapshot in words: the interface does not document the field that has it. */
export function groupOf(snapshot: CapturedSnapshot): string | undefined {
  const group: unknown = snapshot.group_values;
  if (typeof group !== 'object' || group === null) return undefined;
  return Object.entries(group)
    .map(([column, value]) => `${column} = ${String(value)}`)
    .join(', ');
}
