import { randomBytes } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ConfigurationError } from '../errors.ts';
import { type Tier, tiers } from '../contract/vocabulary.ts';
import type { Keys } from '../service/scope.ts';
import { type Clock, systemClock } from '../server/clock.ts';

/** Options of {@link startLocalService}. */
export interface LocalServiceOptions {
  /** Folder of the data files. */
  readonly data: string | URL;
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** Default `127.0.0.1`: reachable from this machine alone. */
  readonly host?: string | undefined;
  /** Folder that keeps rules, metrics and all else that is made; default `.data-quality` in the data folder. */
  readonly state?: string | URL | undefined;
  /** Rate limits, enforced for each key; default `enterprise`. */
  readonly tier?: Tier | undefined;
  /** One key for each scope; those that are absent are made at random. */
  readonly keys?: Partial<Keys> | undefined;
  /** Milliseconds a query over the data may take; default 300,000. */
  readonly queryTimeout?: number | undefined;
  /** Time, for tests: schedules, alerts and limits go by it; default that of this machine. */
  readonly clock?: Clock | undefined;
  /** Is told of each failure that answers 500, or that nothing answers. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The options with every default filled in. */
export interface LocalServiceSettings {
  /** Real path of the folder. */
  readonly data: string;
  readonly port: number;
  readonly host: string;
  readonly state: string;
  readonly tier: Tier;
  readonly keys: Keys;
  readonly queryTimeout: number;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const known = new Set(['data', 'port', 'host', 'state', 'tier', 'keys', 'queryTimeout', 'clock', 'onError']);

const longestTimer = 2 ** 31 - 1;

/** Checks the options and fills in the defaults; throws {@link ConfigurationError}. */
export async function readOptions(options: LocalServiceOptions): Promise<LocalServiceSettings> {
  const unknown = Object.keys(options).find((name) => !known.has(name));
  if (unknown !== undefined) throw new ConfigurationError(`${unknown} is no option of the local service`);
  const { port = 0, host = '127.0.0.1', tier = 'enterprise', queryTimeout = 300_000 } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw wrong('port', 'a whole number from 0 to 65535');
  if (typeof host !== 'string' || host === '') throw wrong('host', 'a host name or an address');
  if (!Object.hasOwn(tiers, tier)) throw wrong('tier', `one of ${Object.keys(tiers).join(', ')}`);
  if (!Number.isInteger(queryTimeout) || queryTimeout < 1 || queryTimeout > longestTimer) {
    throw wrong('queryTimeout', 'a positive number of milliseconds');
  }
  const data = await dataFolder(options.data);
  const state = options.state === undefined ? join(data, '.data-quality') : pathOf('state', options.state);
  const { clock = systemClock, onError = () => undefined } = options;
  const keys = readKeys(options.keys ?? {});
  return { data, port, host, state, tier, keys, queryTimeout, clock, onError };
}

async function dataFolder(option: string | URL): Promise<string> {
  const path = pathOf('data', option);
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw new ConfigurationError(`data: ${path} can not be read`, { cause: error });
  }
  throw new ConfigurationError(`data: ${path} is no folder`);
}

function pathOf(name: string, value: unknown): string {
  if (value instanceof URL && value.protocol === 'file:') return resolve(fileURLToPath(value));
  if (typeof value !== 'string' || value === '') throw wrong(name, 'the path of a folder');
  return resolve(value);
}

function readKeys(given: Partial<Keys>): Keys {
  const keys = {
    readOnly: given.readOnly ?? randomKey('ro'),
    readWrite: given.readWrite ?? randomKey('rw'),
    admin: given.admin ?? randomKey('admin'),
  };
  for (const [name, key] of Object.entries(keys)) {
    if (typeof key !== 'string' || !/^\S+$/.test(key)) throw wrong(`keys.${name}`, 'a text without spaces');
  }
  if (new Set(Object.values(keys)).size < 3) throw wrong('keys', 'three different keys');
  return keys;
}

function randomKey(scope: string): string {
  return `dq_${scope}_${randomBytes(24).toString('base64url')}`;
}

function wrong(name: string, expected: string): ConfigurationError {
  return new ConfigurationError(`${name} must be ${expected}`);
}
