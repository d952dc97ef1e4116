import type { DataQualityClient } from '../client.ts';
import type { Metric } from '../contract/metrics-responses.ts';
import type { ValidityRule } from '../contract/validity-responses.ts';

/** All rules and metrics an asset has, active or not. */
export async function listExisting(
  client: DataQualityClient,
  assetId: string,
  options: { readonly concurrency: number; readonly signal: AbortSignal | undefined },
): Promise<{ readonly rules: ValidityRule[]; readonly metrics: Metric[] }> {
  const [rules, metrics] = await Promise.all([
    client.validity.list(assetId, { limit: 100 }, options).toArray(),
    client.metrics.list(assetId, { limit: 100 }, options).toArray(),
  ]);
  return { rules, metrics };
}
