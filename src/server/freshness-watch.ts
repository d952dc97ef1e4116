import type { Freshness } from '../contract/index.ts';
import type { Backend } from '../service/context.ts';
import { judgeTables } from '../service/freshness.ts';
import type { Asset } from '../service/store.ts';

/** Looks that come later than this after the one before, in ms, leave the time between them unknown. */
export const mostGap = 180_000;

/** What the watch over freshness works with. */
export interface FreshnessWatchParts {
  readonly backend: Backend;
  /** Those whose freshness is configured. */
  readonly datedAssets: readonly Asset[];
  /** Called with what a look found, unless the data could not be read. */
  readonly onLook: (asset: Asset, freshness: Freshness) => void;
}

/** Looks at the freshness of assets and remembers what it found; data that cannot be read has an unknown age. */
export async function watchFreshness(parts: FreshnessWatchParts): Promise<void> {
  const { store, now } = parts.backend;
  for (const asset of parts.datedAssets) {
    const status = await look(parts, asset);
    await store.freshness.record(asset.id, { status, at: now() }, mostGap);
  }
}

async function look({ backend, onLook }: FreshnessWatchParts, asset: Asset): Promise<string> {
  try {
    const { evaluation, now } = backend;
    const [worst] = judgeTables(asset, await evaluation.freshness(asset), now());
    if (worst === undefined) return 'unknown';
    onLook(asset, worst.freshness);
    return worst.freshness.status;
  } catch {
    return 'unknown';
  }
}
