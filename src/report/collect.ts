import pLimit from 'p-limit';

import type { DataQualityClient } from '../index.ts';
import { countOutcomes, type OutcomeCounts } from '../judgement/outcome.ts';
import { collectAsset, type CollectAssetOptions } from './collect-asset.ts';
import type { AssetReport, Report } from './report.ts';

/** What a report is made of. */
export interface CollectOptions extends Omit<CollectAssetOptions, 'limit' | 'onProgress'> {
  /**
   * The title of the page.
   *
   * @default the names of the assets
   */
  readonly title?: string | undefined;
  /**
   * Most rules and metrics that are read at once. The limit of the service applies besides.
   *
   * @default 16
   */
  readonly concurrency?: number | undefined;
  /** Called after each rule and metric that was read, with how many are done and how many are known so far. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Reads everything a report shows from the service, and changes nothing there: a key with the scope `read-only` is
 * enough. A rule or metric whose history cannot be read is reported as inconclusive; the rest is still collected.
 *
 * @throws `ApiError` for what every request would meet: 401, 403 and 429, and if a list cannot be read.
 */
export async function collectReport(
  client: DataQualityClient,
  assetIds: readonly string[],
  { title, concurrency = 16, onProgress, ...options }: CollectOptions = {},
): Promise<Report> {
  const limit = pLimit(concurrency);
  let done = 0;
  let total = 0;
  const progress = (doneMore: number, knownMore: number): void => {
    done += doneMore;
    total += knownMore;
    onProgress?.(done, total);
  };
  try {
    const assets = await Promise.all(
      [...new Set(assetIds)].map(async (assetId) =>
        collectAsset(client, assetId, { ...options, limit, onProgress: progress }),
      ),
    );
    return summarizeAssets(assets, { title });
  } finally {
    // After a failure the requests that wait would only be wasted.
    limit.clearQueue();
  }
}

/** What a summary says beside its assets. */
export interface SummaryOptions {
  readonly title?: string | undefined;
  /**
   * When it was collected, ISO 8601, UTC.
   *
   * @default now
   */
  readonly generatedAt?: string | undefined;
}

/** Makes a report of what was collected of assets. */
export function summarizeAssets(
  assets: readonly AssetReport[],
  { title, generatedAt = new Date().toISOString().replace(/\.\d+Z$/, 'Z') }: SummaryOptions,
): Report {
  const parts = assets.flatMap(({ rules, metrics, freshness }) => [
    ...rules,
    ...metrics,
    ...(freshness === undefined ? [] : [freshness]),
  ]);
  const counts = countOutcomes(parts.map(({ outcome }) => outcome));
  return {
    ...(title !== undefined && { title }),
    generatedAt,
    outcome: outcomeOf(counts),
    counts,
    assets,
  };
}

function outcomeOf({ failed, inconclusive, passed, tolerated }: OutcomeCounts): Report['outcome'] {
  if (failed > 0) return 'failed';
  return inconclusive > 0 || passed + tolerated === 0 ? 'inconclusive' : 'passed';
}
