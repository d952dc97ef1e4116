import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

import { CliError } from './cli-error.ts';
import { exitCode } from '../judgement/exit-code.ts';

/** The settings of a profile; every field is optional. */
export interface Profile {
  readonly api_key?: string;
  readonly base_url?: string;
  readonly asset?: string;
}

/** A configuration file of `dq`. */
export interface ConfigFile {
  readonly path: string;
  /** The profile that is used unless another is named; default `default`. */
  readonly default_profile?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** Where the user's own configuration lies, by the XDG base directory specification. */
export function userConfigPath(): string {
  const home = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  return join(home, 'data-quality', 'config.json');
}

/** Where the configuration of the working folder lies. */
export const projectConfigPath = '.data-quality.json';

/** Reads a configuration file; `undefined` if it does not exist. Ends the command if it can't be used. */
export async function readConfigFile(path: string): Promise<ConfigFile | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CliError(exitCode.usage, `${path} cannot be read: ${(error as Error).message}`);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    // The parser's own message quotes the file, which may contain a key.
    throw new CliError(exitCode.usage, `${path} is not JSON.`, { cause });
  }
  const file = fieldsOf(path, '', parsed, ['default_profile', 'profiles']);
  const profiles = fieldsOf(path, 'profiles', file['profiles'] ?? {}, undefined);
  return {
    path,
    ...(file['default_profile'] !== undefined && {
      default_profile: nonEmptyText(path, 'default_profile', file['default_profile']),
    }),
    profiles: Object.fromEntries(
      Object.entries(profiles).map(([name, value]) => [name, readProfile(path, name, value)]),
    ),
  };
}

/** Adds fields to a profile of the user's own file, which nobody else can read; returns its path. */
export async function saveProfile(name: string, fields: Profile): Promise<string> {
  const path = userConfigPath();
  const { path: _path, profiles = {}, ...others } = (await readConfigFile(path)) ?? {};
  const file = { ...others, profiles: { ...profiles, [name]: { ...profiles[name], ...fields } } };
  // A new file, as the mode of one that is there already would stay.
  const draft = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(draft, path);
  return path;
}

function readProfile(path: string, name: string, value: unknown): Profile {
  const at = `profiles.${name}`;
  const fields = fieldsOf(path, at, value, ['api_key', 'base_url', 'asset']);
  return Object.fromEntries(
    Object.entries(fields).map(([field, given]) => [field, nonEmptyText(path, `${at}.${field}`, given)]),
  );
}

function fieldsOf(
  path: string,
  at: string,
  value: unknown,
  known: readonly string[] | undefined,
): Readonly<Record<string, unknown>> {
  const where = at === '' ? path : `${path}: ${at}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CliError(exitCode.usage, `${where} must be an object.`);
  }
  const unknown = Object.keys(value).find((name) => known?.includes(name) === false);
  if (unknown !== undefined) {
    throw new CliError(exitCode.usage, `${where} has no field ${unknown}; there are ${known?.join(', ')}.`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function nonEmptyText(path: string, at: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new CliError(exitCode.usage, `${path}: ${at} must be a text.`);
}
