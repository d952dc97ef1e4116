import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { ConfigurationError } from '../errors/configuration-error.ts';
import type { Freshness } from '../contract/index.ts';
import type { Asset } from '../service/store.ts';
import type { Keys } from '../service/scope.ts';
import { assetsOf, type LocalAsset } from '../server/assets.ts';
import { type Background, startBackground } from '../server/background.ts';
import { readConfiguration } from '../server/configuration.ts';
import { type Destination, destinationsOf } from '../server/destination.ts';
import { loadDuckDB } from '../engines/duckdb/duckdb.ts';
import { DeliveryWorker } from '../server/delivery.ts';
import { createDurableStore } from '../server/durable-store.ts';
import { Engine } from '../engines/duckdb/engine.ts';
import { createEvaluation } from '../engines/duckdb/evaluation.ts';
import { allowedDestinations } from './consent.ts';
import { createFront } from './front.ts';
import { keysOf } from './keys.ts';
import type { LazyPage } from './lazy-page.ts';
import { type LocalServiceOptions, type LocalServiceSettings, readOptions } from './options.ts';
import { acceptanceRoute } from '../service/acceptance-route.ts';
import { slaRoute } from '../service/sla-route.ts';
import type { Log } from '../server/log.ts';
import type { Service } from '../service/service.ts';
import { Measurements } from '../server/prometheus/measurements.ts';
import { assetRoutes } from '../server/asset-routes.ts';
import { lineageRoute } from '../server/lineage-route.ts';
import type { Claim } from '../server/outcome.ts';
import { outcomeAlerts } from '../server/outcome-alerts.ts';
import { listen, type Socket } from '../server/socket.ts';
import { withStoreEvents } from '../server/store-events.ts';
import { createSource } from '../engines/duckdb/source.ts';
import { type OpenState, openState } from './open-state.ts';
import { evaluationByAsset, openSources, sourceByAsset } from './sources.ts';
import { assertNoPasswords } from './source-url.ts';
import { findMissingTables, withTableFreshness } from './table-freshness.ts';
import { TableFinder } from '../engines/duckdb/tables.ts';

/** A local service that listens. */
export interface LocalService extends AsyncDisposable {
  /** Base address, such as `http://127.0.0.1:4780`. */
  readonly url: string;
  /** One key for each scope. */
  readonly keys: Keys;
  /** The data folder first, then what its `dq.json` adds, then the sources that were given. */
  readonly assets: readonly { readonly id: string; readonly name: string }[];
  /** Folder that keeps the state, or the address of the PostgreSQL that does, without credentials. */
  readonly state: string;
  /** Lists the `table_path` of every table of the assets as they are now; none of a source that cannot be reached. */
  tables(): Promise<readonly string[]>;
  /**
   * Returns an address that opens the page of the service in one browser, once: its assets, live, in a report. With
   * `read-only` the page has no buttons.
   *
   * @default 'read-write'
   */
  createPageLink(scope?: 'read-only' | 'read-write'): Promise<string>;
  /** Ends what runs, within seven seconds, keeps the state and closes everything; calling it again does nothing. */
  close(): Promise<void>;
}

/** Milliseconds that requests may go on after `close`, and queries before they are interrupted. */
const requestGrace = 5000;
const queryGrace = 1000;

/** Milliseconds after which `close` goes on without what has not ended. */
const closeLimit = requestGrace + 1000;

/**
 * Starts the local service: the REST interface over the files of a folder, computed by DuckDB, and over databases, which
 * compute themselves, with its state kept in a folder or in PostgreSQL. Needs the package `@duckdb/node-api`, for a
 * PostgreSQL source also `pg`, for a ClickHouse source `@clickhouse/client`, for a state in PostgreSQL `pg`, `pg-boss`
 * and `rate-limiter-flexible`. Rejects with `ConfigurationError` if an option, `dq.json`
 * or the state cannot be used.
 *
 * @example
 * const service = await startLocalService({ data: './data' });
 * const client = new DataQualityClient({ baseUrl: service.url, apiKey: service.keys.readWrite });
 * for (const asset of service.assets) {
 *   console.log(asset.name, await client.validity.list(asset.id).toArray());
 * }
 * await service.close();
 */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const settings = await readOptions(options);
  const { data, sources } = settings;
  const configuration = data === undefined ? {} : await readConfiguration(data);
  assertNoPasswords(configuration.assets ?? []);
  const assets = withTableFreshness(await assetsOf(data, configuration, sources), settings.freshness);
  const configured = [...(configuration.destinations ?? []), ...settings.destinations];
  const named = destinationsOf(configured);
  if (assets.some(({ path }) => path !== undefined)) await loadDuckDB();
  const { tier, clock, log } = settings;
  const onError = (error: unknown) => {
    log('error', 'failure', { error: String(error) });
    settings.onError(error);
  };
  const opened = await openState(settings.state, { tier, clock, onError });
  try {
    const keys = await keysOf(opened.texts, settings.keys);
    const allowed = await allowedDestinations(opened.texts, configured, settings.allowDestinations);
    const destinations = allowed.length === 0 ? [] : named;
    return await serve({ settings, onError, keys, assets, destinations, opened });
  } catch (error) {
    await opened.close();
    throw error;
  }
}

interface ServiceParts {
  readonly settings: LocalServiceSettings;
  readonly onError: (error: unknown) => void;
  readonly keys: Keys;
  readonly assets: readonly LocalAsset[];
  readonly destinations: readonly Destination[];
  readonly opened: OpenState;
}

async function serve({
  settings,
  onError,
  keys,
  assets,
  destinations,
  opened,
}: ServiceParts): Promise<LocalService> {
  const { state, jobs, limiter } = opened;
  const { data, workFolder, queryTimeout, clock, retentionDays } = settings;
  let page: LazyPage | undefined;
  const log: Log = (level, event, fields) => {
    settings.log(level, event, fields);
    if (event === 'delivery') page?.changed();
  };
  const databases = await openSources(assets, { timeout: queryTimeout, clock });
  const engine = new Engine({
    tempDirectory: join(workFolder, 'temp'),
    timeout: queryTimeout,
    copies: { folder: join(workFolder, 'copies') },
  });
  const folders = assets.flatMap(({ id, name, path }) =>
    path === undefined ? [] : [{ assetId: id, catalog: name, path }],
  );
  const finder = new TableFinder(engine, folders, workFolder);
  const files = { engine, finder, folder: data ?? workFolder };
  const freshness = new Map(
    assets.flatMap((asset) => (asset.freshness.length === 0 ? [] : [[asset.id, asset.freshness] as const])),
  );
  const ofFiles = createEvaluation(files, freshness, () => clock.now());
  const evaluation = evaluationByAsset(ofFiles, databases);
  const worker = new DeliveryWorker({ state, jobs, destinations, clock, onError, log });
  let url = '';
  const listener = outcomeAlerts({ destinations, worker, clock, url: () => url });
  const measurements = new Measurements();
  const storeFor = (claim?: Claim) =>
    withStoreEvents(createDurableStore(state, { listener, claim }), (event) => {
      measurements.countEvent(event);
      page?.changed();
    });
  const store = storeFor();
  const backend = { store, evaluation, now: () => clock.now() };
  const backendFor = (claim: Claim) => ({ ...backend, store: storeFor(claim) });
  const source = sourceByAsset(createSource(files), databases);
  const ownRoutes = [
    lineageRoute(assets, store.lineage),
    acceptanceRoute(assets, store),
    slaRoute({
      assets,
      store: store.freshness,
      now: () => clock.now(),
      configured: async ({ id }) => {
        const tables = freshness.get(id);
        return tables?.find((table) => table.target_percent !== undefined) ?? tables?.[0];
      },
    }),
    ...assetRoutes(assets, source),
  ];
  const front = createFront({
    settings,
    keys,
    assets,
    state,
    limiter,
    backend,
    ownRoutes,
    measurements,
    onError,
  });
  page = front.page;
  const socket = await open(settings, front.service, onError);
  url = socket.url;
  const datedAssets = assets.filter(({ id }) => freshness.has(id));
  const onLook = (asset: Asset, found: Freshness) => measurements.keepFreshness(asset, found);
  const parts = {
    state,
    jobs,
    source,
    backend,
    backendFor,
    assets,
    datedAssets,
    onLook,
    destinations,
    worker,
    clock,
    url,
    retentionDays,
    onError,
  };
  const background = await startBackground(parts);
  const missing = await findMissingTables(assets, async (asset) => evaluation.tables(asset));
  for (const problem of missing) onError(problem);

  let closing: Promise<void> | undefined;
  const engines = async () => Promise.all([engine.close(), databases.close()]);
  const close = async () => {
    closing ??= shut({ page: front.page, socket, background, engines, opened }).finally(async () =>
      removeTemporary(settings),
    );
    return closing;
  };
  return {
    url,
    keys,
    assets: assets.map(({ id, name }) => ({ id, name })),
    state: 'folder' in settings.state ? settings.state.folder : settings.state.database.shown,
    createPageLink: async (scope = 'read-write') => url + (await front.page.createLink(scope)),
    tables: async () => {
      // A source that is away has its own ways of being noticed.
      const readable = assets.map(async (asset) =>
        asset.source === undefined ? evaluation.tables(asset) : evaluation.tables(asset).catch(() => []),
      );
      return (await Promise.all(readable)).flat();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What a service with its state elsewhere wrote on this machine is of no use to its next start. */
async function removeTemporary({ state, workFolder }: LocalServiceSettings): Promise<void> {
  if ('database' in state) await rm(workFolder, { recursive: true, force: true });
}

async function open(
  { host, port }: LocalServiceSettings,
  service: Service,
  onError: (error: unknown) => void,
): Promise<Socket> {
  try {
    return await listen(service, { host, port }, onError);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(`Cannot listen on ${host}, port ${port}: ${reason}`, { cause: error });
  }
}

interface Open {
  readonly page: LazyPage;
  readonly socket: Socket;
  readonly background: Background;
  /** Ends what the engines do. */
  readonly engines: () => Promise<unknown>;
  readonly opened: OpenState;
}

async function shut({ page, socket, background, engines, opened }: Open): Promise<void> {
  const timer = setTimeout(() => void engines(), queryGrace);
  page.close();
  // Whatever hangs, the state is closed and the process may end.
  await noLongerThan(closeLimit, Promise.all([socket.close(requestGrace), background.stop()]));
  clearTimeout(timer);
  await noLongerThan(queryGrace, engines());
  await noLongerThan(closeLimit, opened.close());
}

async function noLongerThan(ms: number, task: Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  const limit = wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
  await Promise.race([task, limit]).finally(() => ended.abort());
}
