import { alertOf } from './alert.ts';
import type { LocalAsset } from './assets.ts';
import type { Clock } from './clock.ts';
import type { DataSource } from '../engines/duckdb/data-source.ts';
import type { Sender } from './delivery.ts';
import type { Destination } from './destination.ts';
import { eventsBetween } from './events.ts';
import { type Look, takeLook } from './look.ts';
import { type Delivery, enqueue } from './outbox.ts';
import type { State } from './state.ts';

/** What is watched, and who is told. */
export interface WatchParts {
  readonly state: State;
  readonly source: DataSource;
  readonly assets: readonly LocalAsset[];
  readonly destinations: readonly Destination[];
  readonly sender: Sender;
  readonly clock: Clock;
  /** Base address of the service. */
  readonly url: string;
}

/** Looks at every asset and sends alerts about what happened since the last look. */
export async function watch(parts: WatchParts): Promise<void> {
  for (const asset of parts.assets) await watchAsset(parts, asset);
}

async function watchAsset(parts: WatchParts, asset: LocalAsset): Promise<void> {
  const { state, source, sender, clock } = parts;
  const [row] = await state.run('SELECT snapshot FROM scans WHERE asset_id = $1', asset.id);
  const before = row === undefined ? undefined : (JSON.parse(String(row[0])) as Look);
  const after = await takeLook(source, asset, before, clock.now());
  const events = eventsBetween(asset.name, before, after);
  const now = clock.now();
  const assetUrl = `${parts.url}/api/v1/assets/${asset.id}/freshness`;
  const alerts = events.map((event) => alertOf(event, { assetUrl, now }));
  const names = parts.destinations.map(({ name }) => name);
  // Together or not at all: a look that is remembered without its alerts would never be told of.
  const deliveries = await state.transaction(async (run) => {
    await run('DELETE FROM scans WHERE asset_id = $1', asset.id);
    await run('INSERT INTO scans VALUES ($1, $2)', asset.id, JSON.stringify(after));
    const queued: Delivery[] = [];
    for (const alert of alerts) queued.push(...(await enqueue(run, alert, names, now)));
    return queued;
  });
  sender.send(deliveries);
}
