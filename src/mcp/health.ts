import {
  type DataQualityClient,
  type Freshness,
  isApiError,
  type MetricsSummary,
  type ValiditySummary,
} from '../index.ts';
import { judgeFreshness } from '../judgement/freshness.ts';

/** The health of an asset in few words: three requests, whatever its size. */
export interface Health {
  readonly asset_id: string;
  readonly rules: ValiditySummary;
  readonly metrics: MetricsSummary;
  /** Null if the asset has no freshness configuration. */
  readonly freshness: (Freshness & { readonly outcome: string }) | null;
}

/** Reads the health of an asset. */
export async function readHealth(
  client: DataQualityClient,
  assetId: string,
  signal: AbortSignal,
): Promise<Health> {
  const [rules, metrics, freshness] = await Promise.all([
    client.validity.summary(assetId, { signal }),
    client.metrics.summary(assetId, { signal }),
    readFreshness(client, assetId, signal),
  ]);
  return { asset_id: assetId, rules, metrics, freshness };
}

async function readFreshness(
  client: DataQualityClient,
  assetId: string,
  signal: AbortSignal,
): Promise<Health['freshness']> {
  try {
    const reading = await client.freshness.get(assetId, { signal });
    return { ...reading, outcome: judgeFreshness(reading).outcome };
  } catch (error) {
    if (isApiError(error, 'FRESHNESS_NOT_CONFIGURED')) return null;
    throw error;
  }
}
