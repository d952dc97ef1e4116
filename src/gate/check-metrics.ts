import type { Metric } from '../contract/metrics-responses.ts';
import { judgeCapture } from '../judgement/capture.ts';
import { asRecord } from '../judgement/field.ts';
import { inconclusive, type Inspection, labelsOfItem } from './inspection.ts';
import { isActive } from './selection.ts';
import type { MetricCheck } from './verdict.ts';

/** Captures the active ones among the selected metrics of an asset now. */
export async function checkMetrics(
  inspection: Inspection,
  assetId: string,
  metrics: readonly Metric[],
): Promise<MetricCheck[]> {
  const { progress, limit } = inspection;
  progress.start('metrics', assetId, metrics.filter(isActive).length);
  return await Promise.all(
    metrics.map(async (metric): Promise<MetricCheck> => {
      const subject = { assetId, metric, ...labelsOfItem(inspection, metric) };
      if (!isActive(metric)) return { ...subject, outcome: 'skipped', reason: 'the metric is inactive' };
      const check = { ...subject, ...(await limit(() => captureMetric(inspection, assetId, metric))) };
      progress.metric(check);
      return check;
    }),
  );
}

async function captureMetric(
  { client, options: { allowEmpty }, deadline }: Inspection,
  assetId: string,
  metric: Metric,
): Promise<MetricCheck> {
  try {
    const capture = await client.metrics.capture(assetId, metric.id, { signal: deadline.signal });
    const judgement = judgeCapture(capture, { metric, allowEmpty });
    // Without validation of responses, it can be anything.
    const snapshots: unknown = asRecord(capture)['snapshots'];
    if (!Array.isArray(snapshots)) return { assetId, metric, ...judgement };
    return { assetId, metric, snapshots: capture.snapshots, ...judgement };
  } catch (error) {
    return { assetId, metric, ...inconclusive(deadline, error) };
  }
}
