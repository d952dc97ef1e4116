import { Command, type OptionValues } from '@commander-js/extra-typings';

import type { DataQualityClient, Hooks } from '../index.ts';
import { CliError } from './cli-error.ts';
import { configure, type ConnectionOptions, missingAddress, missingKey } from './configuration.ts';
import { describeDuration, duration } from './duration.ts';
import { exitCode } from '../judgement/exit-code.ts';
import { wholeNumber } from './number.ts';
import { beQuiet, message } from './terminal.ts';
import { refuseTwoOutputs } from './text-file.ts';
import { inWordsOfFlags } from './words-of-flags.ts';

/** How a client of the service is made. */
export interface ClientFlags extends ConnectionOptions {
  readonly timeout?: number | undefined;
  readonly retries?: number | undefined;
  readonly allowInsecureHttp?: boolean | undefined;
  readonly verbose?: boolean | undefined;
}

/** Begins a command that talks to the service and prints data. */
export function serviceCommand(name: string) {
  return connectionCommand(
    new Command(name)
      .optionsGroup('Options:')
      .option('--json', 'print the data as JSON and nothing else on standard output'),
  );
}

/** Adds to a command what it takes to talk to the service. */
export function connectionCommand<Options extends OptionValues>(command: Command<[], Options>) {
  return command
    .optionsGroup('Options:')
    .option('--quiet', 'print nothing but the data and errors')
    .option('--verbose', 'print each request with its status and duration on standard error')
    .optionsGroup('Options of the connection:')
    .option('--api-key <key>', 'key of the service (better: the environment variable DATA_QUALITY_API_KEY)')
    .option('--base-url <url>', 'address of the service (environment: DATA_QUALITY_BASE_URL)')
    .option('--profile <name>', 'profile of the configuration file (environment: DATA_QUALITY_PROFILE)')
    .option('--timeout <duration>', 'time for one attempt of a request, such as 30s', duration)
    .option('--retries <n>', 'attempts after the first; default 3', wholeNumber(0))
    .option('--allow-insecure-http', 'allow plain http beyond this machine')
    .optionsGroup('Options:')
    .hook('preAction', (each) => heedOutputFlags(each.opts()));
}

/** Flags that decide what is printed are heeded before the command starts. */
function heedOutputFlags({ json, quiet, output }: OutputFlags): void {
  if (quiet === true) beQuiet();
  if (typeof output === 'string') refuseTwoOutputs(json === true, [output]);
}

interface OutputFlags {
  readonly json?: unknown;
  readonly quiet?: unknown;
  readonly output?: unknown;
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
    throw new CliError(exitCode.usage, missingAddress);
  }
  if (apiKey === undefined) {
    throw new CliError(exitCode.key, missingKey);
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey.value)) {
    throw new CliError(
      exitCode.key,
      `The key from ${apiKey.source} has a space, a line break or another character no key has.`,
    );
  }
  const { DataQualityClient: Client } = await import('../index.ts');
  return orUsage(
    baseUrl.source,
    () =>
      new Client({
        apiKey: apiKey.value,
        baseUrl: baseUrl.value,
        timeout: options.timeout,
        maxRetries: options.retries,
        allowInsecureHttp: options.allowInsecureHttp,
        hooks: { onWait: waitReporter(), ...hooks, ...(options.verbose === true && reportRequests(hooks)) },
        logger: { debug: message, info: message, warn: message, error: message },
        // Waits, of which it warns, are reported above.
        logLevel: 'error',
      }),
  );
}

/** What the client says about its options, in the words of the flags. */
function orUsage<Made>(source: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const text = inWordsOfFlags(error.message.replace(/^baseUrl: /, `The address from ${source}: `));
    throw new CliError(exitCode.usage, text, { cause: error });
  }
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

const worthReportingMs = 1000;

/** Reports waits; of many requests that wait for the same moment, one. */
function waitReporter(): NonNullable<Hooks['onWait']> {
  let reportedUntil = 0;
  return ({ ms, reason }) => {
    const until = performance.now() + ms;
    if (ms < worthReportingMs || until < reportedUntil + worthReportingMs) return;
    reportedUntil = until;
    message(`Waiting ${describeDuration(ms)}: ${reason}`);
  };
}

/** Reports each response; the method and the path are all that is shown of a request, so the key is not. */
function reportRequests({ onResponse }: Hooks): Hooks {
  return {
    onResponse(event) {
      message(`${event.method} ${event.path} → ${event.status} in ${describeDuration(event.durationMs)}`);
      onResponse?.(event);
    },
    onRetry: ({ method, path, attempt, delayMs }) =>
      message(`${method} ${path}: attempt ${attempt + 1} in ${describeDuration(delayMs)}`),
  };
}
