import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

import * as z from 'zod/mini';

import { closest } from '../closest.ts';
import { exitCode } from '../judgement/exit-code.ts';
import { CliError } from './cli-error.ts';

const text = z.string('must be a text').check(z.minLength(1, 'must not be empty'));

const profileSchema = object({
  api_key: z.optional(text),
  base_url: z.optional(text),
  asset: z.optional(text),
});

const fileSchema = object({
  default_profile: z.optional(text),
  profiles: z.optional(z.record(z.string(), profileSchema, 'must be an object')),
});

/** The settings of a profile; every field is optional. */
export type Profile = z.infer<typeof profileSchema>;

/** A configuration file of `dq`. */
export interface ConfigFile {
  readonly path: string;
  /** The profile that is used unless another is named; default `default`. */
  readonly default_profile?: string | undefined;
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
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CliError(exitCode.usage, `${path} cannot be read: ${(error as Error).message}`);
  }
  const { data, error } = z.safeParse(fileSchema, parseJson(path, content));
  if (error === undefined) return { path, ...data, profiles: data.profiles ?? {} };
  const problems = error.issues.map(({ path: at, message }) => [at.join('.'), message].join(' ').trim());
  throw new CliError(exitCode.usage, `${path}: ${problems.join('; ')}.`);
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

function parseJson(path: string, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (cause) {
    // The parser's own message quotes the file, which may contain a key.
    throw new CliError(exitCode.usage, `${path} is not JSON.`, { cause });
  }
}

/** An object with these fields and no other; the message of an unknown one names those that there are. */
function object<Shape extends z.core.$ZodShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has no field ${issue.keys.map((key) => nameOf(key, known)).join(', ')}; there are ${known.join(', ')}`
        : 'must be an object',
  });
}

function nameOf(key: string, known: readonly string[]): string {
  const meant = closest(known, key);
  return meant === undefined ? key : `${key} (did you mean ${meant}?)`;
}
