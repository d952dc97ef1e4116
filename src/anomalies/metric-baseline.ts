import { Baseline } from './baseline.ts';
import { intervalMs } from './interval.ts';

/** What of a metric decides how its values are judged. */
export interface JudgedMetric {
  /** `row_count`, `null_percent` and so on; a count is judged in whole steps. */
  readonly metric_type?: string | null | undefined;
  /**
   * How often it is captured.
   *
   * @default 'daily'
   */
  readonly capture_interval?: string | null | undefined;
  /**
   * A higher one finds more anomalies.
   *
   * @default 1
   */
  readonly sensitivity?: number | null | undefined;
}

/** Metrics that count, so that a group that is gone counts 0. */
const counts = new Set(['row_count', 'distinct_count', 'duplicate_count']);

/** Whether the values of a metric are counts. */
export function isCount({ metric_type }: JudgedMetric): boolean {
  return counts.has(metric_type ?? '');
}

/** The smallest and the largest value that a metric can have. */
function rangeOf(metric: JudgedMetric): readonly [number, number] | undefined {
  if (metric.metric_type === 'null_percent') return [0, 100];
  return isCount(metric) ? [0, Infinity] : undefined;
}

/** Creates the empty baseline of a metric, or of one of its groups. */
export function baselineOf(metric: JudgedMetric, isGroup: boolean): Baseline {
  return new Baseline({
    interval: intervalMs(metric.capture_interval),
    sensitivity: metric.sensitivity ?? 1,
    isCount: isCount(metric),
    neverEmpty: metric.metric_type === 'row_count' && !isGroup,
    range: rangeOf(metric),
  });
}
