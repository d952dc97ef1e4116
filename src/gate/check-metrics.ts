import type { Metric } from '../contract/metrics.ts';
import { judgeCapture } from '../judgement/capture.ts';
import { type Inspection, withoutResult } from './inspection.ts';
import type { MetricCheck } from './verdict.ts';

/** Captures the active ones among some metrics of an asset now. */
export async function checkMetrics(
  { client, demand, deadline, progress, concurrency }: Inspection,
  assetId: string,
  metrics: readonly Metric[],
): Promise<MetricCheck[]> {
  const { signal } = deadline;
  const active = metrics.filter(({ is_active }) => is_active !== false);
  progress.start('metrics', assetId, active.length);

  const ended = new Map<Metric, MetricCheck>();
  const end = (check: MetricCheck): void => {
    ended.set(check.metric, check);
    progress.metric(check);
  };
  try {
    for await (const { metric, ...outcome } of client.metrics.captureMany(
      assetId,
      active,
      { concurrency },
      { signal },
    )) {
      if ('error' in outcome) end({ assetId, metric, ...withoutResult(deadline, outcome.error) });
      else
        end({
          assetId,
          metric,
          snapshots: outcome.result.snapshots,
          ...judgeCapture(outcome.result, { metric, allowEmpty: demand.allowEmpty }),
        });
    }
  } catch (error) {
    if (deadline.reason === undefined) throw error;
  }
  for (const metric of active) {
    if (!ended.has(metric)) end({ assetId, metric, ...withoutResult(deadline, undefined) });
  }
  return metrics.map(
    (metric) =>
      ended.get(metric) ?? { assetId, metric, outcome: 'skipped', reason: 'the metric is inactive' },
  );
}
