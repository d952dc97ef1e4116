import { CliError } from './cli-error.ts';
import {
  type ConfigFile,
  type Profile,
  projectConfigPath,
  readConfigFile,
  userConfigPath,
} from './config-file.ts';
import { exitCode } from '../judgement/exit-code.ts';
import { isLoopback } from '../loopback.ts';

/** What to do if no address was found. */
export const missingAddress =
  'Where is the service? Set DATA_QUALITY_BASE_URL, give --base-url, or name a profile; `dq serve <folder>` starts one on this machine.';

/** What to do if no key was found. */
export const missingKey =
  'No key: set DATA_QUALITY_API_KEY, give --api-key, name a profile that has one, or keep one with `dq auth login`.';

/** An address without what may contain a secret. */
export function withoutSecrets(address: string): string {
  return address.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
}

/** The options every command that talks to the service has. */
export interface ConnectionOptions {
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly profile?: string | undefined;
  readonly asset?: string | undefined;
}

/** A setting, and where it was found. */
export interface Setting {
  readonly value: string;
  /** Such as `--base-url`, `DATA_QUALITY_BASE_URL` or the path of a file. */
  readonly source: string;
}

/** Where the service is, and what is asked of it. */
export interface Configuration {
  readonly apiKey: Setting | undefined;
  readonly baseUrl: Setting | undefined;
  readonly asset: Setting | undefined;
}

/**
 * Finds the settings: flags, then the environment, then the profile in `./.data-quality.json`, then the one in the
 * user's own file.
 */
export async function configure(options: ConnectionOptions): Promise<Configuration> {
  const files = (
    await Promise.all([readConfigFile(projectConfigPath), readConfigFile(userConfigPath())])
  ).filter((file) => file !== undefined);
  const profile = profileName(options.profile, files);
  const find = (
    flag: string,
    given: string | undefined,
    variable: string,
    field: keyof Profile,
  ): Setting | undefined => {
    if (given !== undefined) return { value: given, source: flag };
    const fromEnvironment = process.env[variable];
    if (fromEnvironment !== undefined && fromEnvironment !== '') {
      return { value: fromEnvironment, source: variable };
    }
    for (const { path, profiles } of files) {
      const value = profiles[profile]?.[field];
      if (value !== undefined) return { value, source: path };
    }
    return undefined;
  };
  const apiKey = find('--api-key', options.apiKey, 'DATA_QUALITY_API_KEY', 'api_key');
  const baseUrl = find('--base-url', options.baseUrl, 'DATA_QUALITY_BASE_URL', 'base_url');
  assertTrustedBaseUrl(apiKey, baseUrl);
  return { apiKey, baseUrl, asset: find('--asset', options.asset, 'DATA_QUALITY_ASSET', 'asset') };
}

function profileName(flag: string | undefined, files: readonly ConfigFile[]): string {
  const named = flag ?? process.env['DATA_QUALITY_PROFILE'];
  const known = [...new Set(files.flatMap(({ profiles }) => Object.keys(profiles)))];
  if (named !== undefined && named !== '' && !known.includes(named)) {
    const there = known.length === 0 ? 'there is none' : `there are ${known.join(', ')}`;
    throw new CliError(exitCode.usage, `No profile is called ${named}; ${there}.`);
  }
  return named || (files.find((file) => file.default_profile !== undefined)?.default_profile ?? 'default');
}

/** A folder somebody else made, a cloned repository for example, must not decide where the user's key is sent. */
function assertTrustedBaseUrl(apiKey: Setting | undefined, baseUrl: Setting | undefined): void {
  if (baseUrl?.source !== projectConfigPath || apiKey === undefined) return;
  if (apiKey.source === projectConfigPath || isOwnMachine(baseUrl.value)) return;
  throw new CliError(
    exitCode.usage,
    `${projectConfigPath} names the service ${withoutSecrets(baseUrl.value)}, but the key comes from ${apiKey.source}: a file of the working folder does not decide where your key is sent. Set DATA_QUALITY_BASE_URL, give --base-url, or name the service in ${userConfigPath()}.`,
  );
}

function isOwnMachine(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}
