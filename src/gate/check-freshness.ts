import type { Freshness } from '../contract/freshness.ts';
import { isDataQualityError } from '../errors/data-quality-error.ts';
import { judgeFreshness } from '../judgement/freshness.ts';
import type { StaleDataError } from '../resources/stale-data-error.ts';
import { inconclusive, type Inspection } from './inspection.ts';
import type { FreshnessCriteria } from './options.ts';
import type { FreshnessCheck } from './verdict.ts';

/** Checks the freshness of an asset, after waiting for fresh data if that was asked for. */
export async function checkFreshness(
  inspection: Inspection,
  assetId: string,
  criteria: FreshnessCriteria,
): Promise<FreshnessCheck> {
  const { deadline, progress } = inspection;
  const { maxAgeMinutes } = criteria;
  progress.start('freshness', assetId, 1);
  const check = await readFreshness(inspection, assetId, criteria).then(
    (freshness): FreshnessCheck => ({
      assetId,
      freshness,
      ...judgeFreshness(freshness, { maxAgeMinutes }),
    }),
    (error: unknown): FreshnessCheck => ({ assetId, ...inconclusive(deadline, error) }),
  );
  progress.freshness(check);
  return check;
}

async function readFreshness(
  { client, deadline: { signal }, limit }: Inspection,
  assetId: string,
  { maxAgeMinutes, waitMs = 0 }: FreshnessCriteria,
): Promise<Freshness> {
  if (waitMs === 0) return await limit(async () => await client.freshness.get(assetId, { signal }));
  try {
    // Outside the limit: an asset that is waited for must not delay the others.
    return await client.freshness.waitUntilFresh(assetId, { maxAgeMinutes, timeout: waitMs }, { signal });
  } catch (error) {
    // What the last response said is a result: stale and unknown are not the same.
    if (isStale(error)) return error.freshness;
    throw error;
  }
}

function isStale(error: unknown): error is StaleDataError {
  return isDataQualityError(error) && error.code === 'STALE_DATA';
}
