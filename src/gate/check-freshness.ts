import type { Freshness } from '../contract/freshness.ts';
import { isDataQualityError } from '../errors.ts';
import { judgeFreshness } from '../judgement/freshness.ts';
import type { StaleDataError } from '../resources/stale-data-error.ts';
import { type Inspection, withoutResult } from './inspection.ts';
import type { FreshnessDemand } from './options.ts';
import type { FreshnessCheck } from './verdict.ts';

/** Looks how old the data of an asset is, after waiting for it if that was asked for. */
export async function checkFreshness(
  inspection: Inspection,
  assetId: string,
  demand: FreshnessDemand,
): Promise<FreshnessCheck> {
  const { deadline, progress } = inspection;
  progress.start('freshness', assetId, 1);
  const check = await look(inspection, assetId, demand).then(
    (freshness): FreshnessCheck => ({
      assetId,
      freshness,
      ...judgeFreshness(freshness, { maxAgeMinutes: demand.maxAgeMinutes }),
    }),
    (error: unknown): FreshnessCheck => ({ assetId, ...withoutResult(deadline, error) }),
  );
  progress.freshness(check);
  return check;
}

async function look(
  { client, deadline: { signal } }: Inspection,
  assetId: string,
  { maxAgeMinutes, waitMs = 0 }: FreshnessDemand,
): Promise<Freshness> {
  if (waitMs === 0) return await client.freshness.get(assetId, { signal });
  try {
    return await client.freshness.waitUntilFresh(assetId, { maxAgeMinutes, timeout: waitMs }, { signal });
  } catch (error) {
    // What the last look saw is a result: stale and unknown are not the same.
    if (isStale(error)) return error.freshness;
    throw error;
  }
}

function isStale(error: unknown): error is StaleDataError {
  return isDataQualityError(error) && error.code === 'STALE_DATA';
}
