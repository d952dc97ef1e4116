import { Command } from '@commander-js/extra-typings';

import type { DataQualityClient, Hooks } from '../index.ts';
import { CliError } from './cli-error.ts';
import { configure, type ConnectionOptions } from './configuration.ts';
import { describeDuration, duration } from './duration.ts';
import { exitCode } from '../judgement/exit-code.ts';
import { wholeNumber } from './number.ts';
import { message } from './terminal.ts';

/** How a client of the service is made. */
export interface ClientFlags extends ConnectionOptions {
  readonly timeout?: number | undefined;
  readonly retries?: number | undefined;
  readonly allowInsecureHttp?: boolean | undefined;
}

/** Begins a command that talks to the service. */
export function serviceCommand(name: string) {
  return new Command(name)
    .optionsGroup('Options:')
    .option('--json', 'print the data as JSON and nothing else on standard output')
    .optionsGroup('Options of the connection:')
    .option('--api-key <key>', 'key of the service (better: the environment variable DATA_QUALITY_API_KEY)')
    .option('--base-url <url>', 'address of the service (environment: DATA_QUALITY_BASE_URL)')
    .option('--profile <name>', 'profile of the configuration file (environment: DATA_QUALITY_PROFILE)')
    .option('--timeout <duration>', 'time for one attempt of a request, such as 30s', duration)
    .option('--retries <n>', 'attempts after the first; default 3', wholeNumber(0))
    .option('--allow-insecure-http', 'allow plain http beyond this machine')
    .optionsGroup('Options:');
}

/** Begins a command that talks to the service about one asset. */
export function assetCommand(name: string) {
  return serviceCommand(name).option(
    '-a, --asset <id>',
    'the data asset (environment: DATA_QUALITY_ASSET, or the profile)',
  );
}

/** Makes the client a command works with. Ends the command if the key or the address is missing or unusable. */
export async function connect(options: ClientFlags, hooks: Hooks = {}): Promise<DataQualityClient> {
  const { apiKey, baseUrl } = await configure(options);
  if (baseUrl === undefined) {
    throw new CliError(
      exitCode.usage,
      'Where is the service? Set DATA_QUALITY_BASE_URL, give --base-url, or name a profile; `dq serve <folder>` starts one on this machine.',
    );
  }
  if (apiKey === undefined) {
    throw new CliError(
      exitCode.key,
      'No key: set DATA_QUALITY_API_KEY, give --api-key, or name a profile that has one.',
    );
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey.value)) {
    throw new CliError(
      exitCode.key,
      `The key from ${apiKey.source} has a space, a line break or another character no key has.`,
    );
  }
  const { DataQualityClient: Client } = await import('../index.ts');
  return new Client({
    apiKey: apiKey.value,
    baseUrl: baseUrl.value,
    timeout: options.timeout,
    maxRetries: options.retries,
    allowInsecureHttp: options.allowInsecureHttp,
    hooks: { onWait: tellWait, ...hooks },
    logger: { debug: message, info: message, warn: message, error: message },
  });
}

/** Makes the client and finds the asset a command works with. */
export async function connectToAsset(
  options: ClientFlags,
): Promise<{ readonly client: DataQualityClient; readonly asset: string }> {
  return { client: await connect(options), asset: await requiredAsset(options) };
}

/** The asset a command works with. Ends the command if none is named. */
export async function requiredAsset(options: ConnectionOptions): Promise<string> {
  const { asset } = await configure(options);
  if (asset !== undefined) return asset.value;
  throw new CliError(exitCode.usage, 'Which asset? Give --asset <id> or set DATA_QUALITY_ASSET.');
}

const worthTellingMs = 1000;

const tellWait: NonNullable<Hooks['onWait']> = ({ ms, reason }) => {
  if (ms >= worthTellingMs) message(`Waiting ${describeDuration(ms)}: ${reason}`);
};
