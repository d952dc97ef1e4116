import type { Freshness } from '../contract/freshness.ts';
import { isDataQualityError } from '../errors/data-quality-error.ts';
import { judgeFreshness } from '../judgement/freshness.ts';
import type { StaleDataError } from '../resources/stale-data-error.ts';
import { inconclusive, type Inspection } from './inspection.ts';
import type { FreshnessCriteria, FreshnessExpectation } from './options.ts';
import { readTableFreshness } from './table-freshness.ts';
import type { FreshnessCheck } from './verdict.ts';

/** Checks what is expected of the freshness of an asset, after waiting for fresh data if that was asked for. */
export async function checkFreshness(
  inspection: Inspection,
  assetId: string,
  { expectations, ...criteria }: FreshnessCriteria,
): Promise<FreshnessCheck[]> {
  const expected = expectations?.filter((one) => one.assetId === assetId) ?? [{ assetId }];
  if (expected.length === 0) return [];
  inspection.progress.start('freshness', assetId, expected.length);
  return Promise.all(expected.map((one) => checkExpectation(inspection, one, criteria)));
}

async function checkExpectation(
  inspection: Inspection,
  { assetId, table_path, maxAgeMinutes: ownLimit = Infinity }: FreshnessExpectation,
  criteria: FreshnessCriteria,
): Promise<FreshnessCheck> {
  const limit = Math.min(ownLimit, criteria.maxAgeMinutes ?? Infinity);
  const maxAgeMinutes = limit === Infinity ? undefined : limit;
  const subject = { assetId, ...(table_path !== undefined && { table_path }) };
  const read =
    table_path === undefined
      ? readAssetFreshness(inspection, assetId, { ...criteria, maxAgeMinutes })
      : readTableFreshness(inspection, assetId, table_path);
  const check = await read.then(
    (freshness): FreshnessCheck =>
      freshness === undefined
        ? {
            ...subject,
            outcome: 'inconclusive',
            reason: `the service does not report how old ${table_path} is`,
          }
        : { ...subject, freshness, ...judgeFreshness(freshness, { maxAgeMinutes }) },
    (error: unknown): FreshnessCheck => ({ ...subject, ...inconclusive(inspection.deadline, error) }),
  );
  inspection.progress.freshness(check);
  return check;
}

async function readAssetFreshness(
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
