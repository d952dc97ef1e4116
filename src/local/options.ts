import { realpath, stat } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ConfigurationError } from '../errors/configuration-error.ts';
import { longestTimer, type Tier, tiers } from '../contract/vocabulary.ts';
import * as z from 'zod/mini';

import { check } from '../contract/check.ts';
import { destinationSchema, type DestinationConfiguration } from '../contract/destination.ts';
import { describeIssues } from '../contract/issue.ts';
import type { Keys } from '../service/scope.ts';
import { type Clock, systemClock } from '../server/clock.ts';
import { createLog, type Log, type LogEntry } from '../server/log.ts';
import { checkKeys } from './keys.ts';
import type { NamedSources } from '../server/assets.ts';
import type { ServiceHooks } from '../server/service-hooks.ts';
import type { StatePlace } from './open-state.ts';
import { stateUrlOf } from './sources.ts';
import type { FreshnessByTable, TableFreshnessOptions } from './table-freshness.ts';
import { defaultSourcesStateFolder, defaultStateFolder } from './state-folder.ts';

/** A database as an asset. */
export interface SourceOptions {
  /** Address, such as `postgres://reader:${SHOP_PASSWORD}@host/database`. */
  readonly url: string;
  /**
   * Names of the schemas, in ClickHouse the databases, whose tables the asset has.
   *
   * @default all that the role may read; in ClickHouse the database of the address, if it names one
   */
  readonly schemas?: readonly string[] | undefined;
}

/** Options of {@link startLocalService}. */
export interface LocalServiceOptions {
  /** Folder of the data files; may be left out if there are `sources`. */
  readonly data?: string | URL | undefined;
  /**
   * Databases that rules run inside of, by the names of their assets: addresses such as
   * `postgres://reader@host/database` or `clickhouse://reader@host:8123/database`. `${NAME}` in an address
   * refers to a variable of the environment. Needs the package `pg` or `@clickhouse/client`.
   *
   * @default none but those that `dq.json` names
   */
  readonly sources?: Readonly<Record<string, string | SourceOptions>> | undefined;
  /**
   * Port to listen on; 0 for any free one.
   *
   * @default 0
   */
  readonly port?: number | undefined;
  /**
   * Host name or address to listen on; the default is reachable from this machine alone.
   *
   * @default '127.0.0.1'
   */
  readonly host?: string | undefined;
  /**
   * Folder that keeps rules, metrics, results, deliveries and keys, or the address of a PostgreSQL that keeps them,
   * such as `postgres://dq:${DQ_PASSWORD}@host/database`: then any number of services may share them. `${NAME}` in
   * an address refers to a variable of the environment. An address needs the packages `pg`, `pg-boss` and
   * `rate-limiter-flexible`.
   *
   * @default one per data folder, in the user's state directory: `$XDG_STATE_HOME/data-quality` or `~/.local/state/data-quality`, `~/Library/Application Support/data-quality` on macOS, `%LOCALAPPDATA%\\data-quality` on Windows
   */
  readonly state?: string | URL | undefined;
  /**
   * How the age of tables is judged, by `<catalog>.<schema>.<table>`, in addition to what `dq.json` says.
   *
   * @default what `dq.json` says alone
   */
  readonly freshness?: Readonly<Record<string, TableFreshnessOptions>> | undefined;
  /**
   * Where alerts are delivered to, in addition to the destinations that `dq.json` names.
   *
   * @default those of `dq.json` alone
   */
  readonly destinations?: readonly DestinationConfiguration[] | undefined;
  /**
   * Whether alerts may be sent to the destinations that are named. `true` allows those that are named now, and is
   * remembered: later starts need no permission until the destinations change. `false` sends no alerts. If it is left
   * out, destinations that were not allowed before are a `ConfigurationError`.
   */
  readonly allowDestinations?: boolean | undefined;
  /**
   * Rate limits, enforced for each key.
   *
   * @default 'enterprise'
   */
  readonly tier?: Tier | undefined;
  /** One key per scope. Those that are left out are made at random once, and kept in the state folder. */
  readonly keys?: Partial<Keys> | undefined;
  /**
   * How long a query over the data may take, in ms.
   *
   * @default 300_000
   */
  readonly queryTimeout?: number | undefined;
  /**
   * How long results, snapshots and finished deliveries are kept, in days. The latest result of each rule and the
   * latest snapshots of each metric stay.
   *
   * @default 90
   */
  readonly retentionDays?: number | undefined;
  /**
   * The time that schedules, alerts and limits go by, for tests.
   *
   * @default the clock of this machine
   */
  readonly clock?: Clock | undefined;
  /** Observers of each request that is handled, such as `openTelemetryServiceHooks()`. */
  readonly hooks?: ServiceHooks | undefined;
  /** Called with each request that was served, each attempt to deliver an alert and each failure, for a log. */
  readonly onLog?: ((entry: LogEntry) => void) | undefined;
  /** Called with each failure that is a 500 to the client, or that no response reports. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The options with every default filled in. */
export interface LocalServiceSettings {
  /** Real path of the folder, if there is one. */
  readonly data: string | undefined;
  readonly sources: NamedSources;
  readonly port: number;
  readonly host: string;
  readonly state: StatePlace;
  /** A folder for what nothing keeps, not made yet. */
  readonly workFolder: string;
  readonly freshness: FreshnessByTable;
  readonly destinations: readonly DestinationConfiguration[];
  readonly allowDestinations: boolean | undefined;
  readonly tier: Tier;
  /** Those that were given. */
  readonly keys: Partial<Keys>;
  readonly queryTimeout: number;
  readonly retentionDays: number;
  readonly clock: Clock;
  readonly hooks: ServiceHooks;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
}

const known = new Set([
  'data',
  'port',
  'host',
  'sources',
  'state',
  'freshness',
  'destinations',
  'allowDestinations',
  'tier',
  'keys',
  'queryTimeout',
  'retentionDays',
  'clock',
  'hooks',
  'onLog',
  'onError',
]);

/** Checks the options and fills in the defaults; throws `ConfigurationError`. */
export async function readOptions(options: LocalServiceOptions): Promise<LocalServiceSettings> {
  const unknown = Object.keys(options).find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new ConfigurationError(`Unknown option ${unknown}. Valid options: ${[...known].join(', ')}`);
  }
  const {
    port = 0,
    host = '127.0.0.1',
    tier = 'enterprise',
    queryTimeout = 300_000,
    retentionDays = 90,
  } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw wrong('port', 'a whole number from 0 to 65535');
  if (typeof host !== 'string' || host === '') throw wrong('host', 'a host name or an address');
  if (!Object.hasOwn(tiers, tier)) throw wrong('tier', `one of ${Object.keys(tiers).join(', ')}`);
  if (!Number.isInteger(queryTimeout) || queryTimeout < 1 || queryTimeout > longestTimer) {
    throw wrong('queryTimeout', 'a positive number of milliseconds');
  }
  if (!(retentionDays > 0)) throw wrong('retentionDays', 'a positive number of days');
  const sources = namedSources(options.sources ?? {});
  const names = Object.keys(sources);
  const data = options.data === undefined && names.length > 0 ? undefined : await dataFolder(options.data);
  const state = await statePlace(options.state, data, names);
  const workFolder =
    'folder' in state ? state.folder : join(tmpdir(), `data-quality-${randomBytes(8).toString('hex')}`);
  const { allowDestinations, clock = systemClock, hooks = {}, onLog, onError = () => undefined } = options;
  const keys = checkKeys(options.keys ?? {});
  return {
    data,
    sources,
    port,
    host,
    state,
    freshness: options.freshness ?? {},
    destinations: checkDestinations(options.destinations ?? []),
    workFolder,
    allowDestinations,
    tier,
    keys,
    queryTimeout,
    retentionDays,
    clock,
    hooks,
    log: createLog(onLog ?? (() => undefined), () => clock.now()),
    onError,
  };
}

function checkDestinations(given: readonly DestinationConfiguration[]): readonly DestinationConfiguration[] {
  const checked = check(z.array(destinationSchema), given);
  if ('value' in checked) return checked.value;
  throw new ConfigurationError(`destinations: ${describeIssues(checked.issues, 20)}`);
}

async function statePlace(
  option: string | URL | undefined,
  data: string | undefined,
  names: readonly string[],
): Promise<StatePlace> {
  if (option === undefined) {
    return { folder: data === undefined ? defaultSourcesStateFolder(names) : await defaultStateFolder(data) };
  }
  const isFile = option instanceof URL && option.protocol === 'file:';
  const database = isFile ? undefined : stateUrlOf(String(option));
  return database === undefined ? { folder: pathOf('state', option) } : { database };
}

function namedSources(given: NonNullable<LocalServiceOptions['sources']>): NamedSources {
  const entries = Object.entries(given).map(([name, source]) => {
    const { url, schemas } = typeof source === 'string' ? { url: source } : source;
    if (name === '' || typeof url !== 'string')
      throw wrong('sources', 'addresses by the names of their assets');
    return [name, { url, ...(schemas !== undefined && { schemas: [...schemas] }) }] as const;
  });
  return Object.fromEntries(entries);
}

async function dataFolder(option: string | URL | undefined): Promise<string> {
  const path = pathOf('data', option);
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw new ConfigurationError(`data: ${path} cannot be read`, { cause: error });
  }
  throw new ConfigurationError(`data: ${path} is not a folder`);
}

function pathOf(name: string, value: unknown): string {
  if (value instanceof URL && value.protocol === 'file:') return resolve(fileURLToPath(value));
  if (typeof value !== 'string' || value === '') throw wrong(name, 'the path of a folder');
  return resolve(value);
}

function wrong(name: string, expected: string): ConfigurationError {
  return new ConfigurationError(`${name} must be ${expected}`);
}
