import { join } from 'node:path';

import { ConfigurationError } from '../errors.ts';
import type { Keys } from '../service/scope.ts';
import { createService, type Service } from '../service/service.ts';
import { assetsOf, type LocalAsset } from '../server/assets.ts';
import { type Background, startBackground } from '../server/background.ts';
import { readConfiguration } from '../server/configuration.ts';
import { type Destination, destinationsOf } from '../server/destination.ts';
import { loadDuckDB } from '../engines/duckdb/duckdb.ts';
import { createDurableStore } from '../server/durable-store.ts';
import { Engine } from '../engines/duckdb/engine.ts';
import { createEvaluation } from '../engines/duckdb/evaluation.ts';
import { allowedDestinations } from './consent.ts';
import { keysOf } from './keys.ts';
import { type LocalServiceOptions, type LocalServiceSettings, readOptions } from './options.ts';
import { acceptanceRoute } from '../service/acceptance-route.ts';
import { lineageRoute } from '../server/lineage-route.ts';
import { listen, type Socket } from '../server/socket.ts';
import { State } from '../server/state.ts';
import { TableFinder } from '../engines/duckdb/tables.ts';

/** A local service that listens. */
export interface LocalService extends AsyncDisposable {
  /** Base address, such as `http://127.0.0.1:4780`. */
  readonly url: string;
  /** One key for each scope. */
  readonly keys: Keys;
  /** The data folder first, then what its `dq.json` adds. */
  readonly assets: readonly { readonly id: string; readonly name: string }[];
  /** Folder that keeps the state. */
  readonly state: string;
  /** Ends what runs (within five seconds), keeps the state and lets go of everything; once is enough. */
  close(): Promise<void>;
}

/** Milliseconds that requests may go on after `close`, and queries before they are interrupted. */
const requestGrace = 5000;
const queryGrace = 1000;

/**
 * Starts the local service: the REST interface over the files of a folder, computed by DuckDB, with its state kept in
 * a folder. Needs the package `@duckdb/node-api`. Rejects with {@link ConfigurationError} where an option, `dq.json`
 * or the state can't be used.
 *
 * @example
 * await using service = await startLocalService({ data: './data' });
 * const client = new DataQualityClient({ baseUrl: service.url, apiKey: service.keys.readWrite });
 * await client.validity.list(service.assets[0].id);
 */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const settings = await readOptions(options);
  const configuration = await readConfiguration(settings.data);
  const assets = await assetsOf(settings.data, configuration);
  const named = destinationsOf(configuration.destinations ?? []);
  const duckdb = await loadDuckDB();
  const state = await State.open(duckdb, settings.state);
  try {
    const keys = await keysOf(settings.state, settings.keys);
    const allowed = await allowedDestinations(
      settings.state,
      configuration.destinations ?? [],
      settings.allowDestinations,
    );
    const destinations = allowed.length === 0 ? [] : named;
    return await serve({ settings, keys, assets, destinations, state });
  } catch (error) {
    await state.close();
    throw error;
  }
}

interface ServiceParts {
  readonly settings: LocalServiceSettings;
  readonly keys: Keys;
  readonly assets: readonly LocalAsset[];
  readonly destinations: readonly Destination[];
  readonly state: State;
}

async function serve({ settings, keys, assets, destinations, state }: ServiceParts): Promise<LocalService> {
  const { data, tier, onError, queryTimeout, clock } = settings;
  const engine = new Engine({ spill: join(settings.state, 'spill'), timeout: queryTimeout });
  const folders = assets.map(({ id, name, path }) => ({ assetId: id, catalog: name, path }));
  const source = { engine, finder: new TableFinder(engine, folders, settings.state), folder: data };
  const freshness = new Map(
    assets.flatMap((asset) => (asset.freshness === undefined ? [] : [[asset.id, asset.freshness] as const])),
  );
  const backend = {
    store: createDurableStore(state),
    evaluation: createEvaluation(source, freshness, () => clock.now()),
    now: () => clock.now(),
  };
  const ownRoutes = [lineageRoute(assets, backend.store.lineage), acceptanceRoute(assets, backend.store)];
  const socket = await open(settings, createService({ assets, keys, tier, onError, ownRoutes, ...backend }));
  const { url } = socket;
  const background = await startBackground({
    state,
    source,
    backend,
    assets,
    destinations,
    clock,
    url,
    onError,
  });

  let closing: Promise<void> | undefined;
  const close = async () => {
    closing ??= shut({ socket, background, engine, state });
    return closing;
  };
  return {
    url,
    keys,
    assets: assets.map(({ id, name }) => ({ id, name })),
    state: settings.state,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function open({ host, port, onError }: LocalServiceSettings, service: Service): Promise<Socket> {
  try {
    return await listen(service, { host, port }, onError);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(`Cannot listen on ${host}, port ${port}: ${reason}`, { cause: error });
  }
}

interface Open {
  readonly socket: Socket;
  readonly background: Background;
  readonly engine: Engine;
  readonly state: State;
}

async function shut({ socket, background, engine, state }: Open): Promise<void> {
  const timer = setTimeout(() => void engine.close(), queryGrace);
  await Promise.all([socket.close(requestGrace), background.stop()]);
  clearTimeout(timer);
  await engine.close();
  await state.close();
}
