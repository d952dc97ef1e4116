import type { Backend } from '../service/context.ts';
import { judgeFreshness } from '../service/freshness.ts';
import type { Asset } from '../service/store.ts';

/** Looks that come later than this after the one before, in ms, leave the time between them unknown. */
export const mostGap = 180_000;

/** Looks at the freshness of assets and remembers what it found; data that cannot be read has an unknown age. */
export async function watchFreshness(backend: Backend, assets: readonly Asset[]): Promise<void> {
  for (const asset of assets) {
    const status = await statusOf(backend, asset);
    if (status === undefined) continue;
    await backend.store.freshness.record(asset.id, { status, at: backend.now() }, mostGap);
  }
}

async function statusOf({ evaluation, now }: Backend, asset: Asset): Promise<string | undefined> {
  try {
    const reading = await evaluation.freshness(asset);
    return reading === undefined ? undefined : judgeFreshness(asset, reading, now()).status;
  } catch {
    return 'unknown';
  }
}
