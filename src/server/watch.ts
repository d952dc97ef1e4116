import type { Evaluation } from '../service/evaluation.ts';
import type { Asset } from '../service/store.ts';
import { alertOf } from './alert.ts';
import type { Clock } from './clock.ts';
import type { DeliveryWorker } from './delivery.ts';
import type { Destination } from './destination.ts';
import { eventsBetween } from './events.ts';
import { type Delivery, enqueue } from './outbox.ts';
import { type AssetSnapshot, scan } from './scan.ts';
import type { Source } from './source.ts';
import type { Run, State } from './state.ts';

/** What is watched, and who is notified. */
export interface WatchParts {
  readonly state: State;
  readonly source: Source;
  readonly evaluation: Evaluation;
  readonly assets: readonly Asset[];
  readonly destinations: readonly Destination[];
  readonly worker: DeliveryWorker;
  readonly clock: Clock;
  /** Base address of the service. */
  readonly url: string;
}

/** Scans every asset and sends alerts about what happened since the last scan. */
export async function watch(parts: WatchParts): Promise<void> {
  for (const asset of parts.assets) await watchAsset(parts, asset);
}

async function watchAsset(parts: WatchParts, asset: Asset): Promise<void> {
  const { state, source, evaluation, worker, clock } = parts;
  const known = await knownScan(state.run, asset);
  const before = known === undefined ? undefined : (JSON.parse(known) as AssetSnapshot);
  const after = await scan(asset, before, { source, evaluation, now: clock.now() });
  const now = clock.now();
  const assetUrl = `${parts.url}/api/v1/assets/${asset.id}/freshness`;
  const alerts = eventsBetween(asset.name, before, after).map((event) => alertOf(event, { assetUrl, now }));
  const names = parts.destinations.map(({ name }) => name);
  // Together or not at all: a scan that is remembered without its alerts would never be reported.
  const deliveries = await state.transaction(async (run) => {
    // Whoever has looked meanwhile has reported what happened.
    if ((await knownScan(run, asset)) !== known) return [];
    await run('DELETE FROM scans WHERE asset_id = $1', asset.id);
    await run('INSERT INTO scans VALUES ($1, $2)', asset.id, JSON.stringify(after));
    const queued: Delivery[] = [];
    for (const alert of alerts) queued.push(...(await enqueue(run, alert, names, now)));
    return queued;
  });
  worker.send(deliveries);
}

async function knownScan(run: Run, { id }: Asset): Promise<string | undefined> {
  const [row] = await run('SELECT snapshot FROM scans WHERE asset_id = $1', id);
  return row === undefined ? undefined : String(row[0]);
}
