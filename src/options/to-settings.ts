import { ConfigurationError } from '../errors/configuration-error.ts';
import { checkKey } from '../http/headers.ts';
import { sharedPacing } from '../http/pacing/shared-pacing.ts';
import { invalidHeaders, milliseconds, wholeNumber } from '../http/request-options.ts';
import type { Hooks } from '../http/hooks.ts';
import type { Logger, LogLevel, Settings } from '../http/settings.ts';
import { toBaseUrl } from './base-url.ts';
import type { ClientOptions } from './client-options.ts';
import { environment, refuseBrowser, refuseOldNode } from './runtime.ts';

const logLevels = ['off', 'error', 'warn', 'info', 'debug'] as const;
const responseValidations = ['throw', 'warn', 'off'] as const;

const hookNames: Readonly<Record<keyof Hooks, true>> = {
  onRequest: true,
  onResponse: true,
  onNoResponse: true,
  onRetry: true,
  onWait: true,
  onCallStart: true,
  onCallEnd: true,
  aroundSend: true,
};

const optionNames: Readonly<Record<keyof ClientOptions, true>> = {
  apiKey: true,
  baseUrl: true,
  timeout: true,
  totalTimeout: true,
  maxRetries: true,
  retryDelay: true,
  maxRetryAfter: true,
  maxResponseSize: true,
  rateLimit: true,
  fetch: true,
  headers: true,
  hooks: true,
  logger: true,
  logLevel: true,
  responseValidation: true,
  dangerouslyAllowBrowser: true,
  allowInsecureHttp: true,
};

/** Checks the options of a client and makes them whole; throws `ConfigurationError`. */
export function toSettings(options: ClientOptions): Settings {
  refuseOldNode();
  for (const name of Object.keys(checkObject('options', options))) {
    if (!Object.hasOwn(optionNames, name)) {
      throw new ConfigurationError(
        `Unknown option "${name}". Valid options: ${Object.keys(optionNames).join(', ')}`,
      );
    }
  }
  checkSwitch('dangerouslyAllowBrowser', options.dangerouslyAllowBrowser);
  checkSwitch('allowInsecureHttp', options.allowInsecureHttp);
  refuseBrowser(options.dangerouslyAllowBrowser);
  const apiKey = toApiKey(options.apiKey ?? environment('DATA_QUALITY_API_KEY'));
  const baseUrl = toBaseUrl(
    options.baseUrl ?? environment('DATA_QUALITY_BASE_URL'),
    options.allowInsecureHttp,
  );
  const log = toLog(options.logger, oneOf('logLevel', logLevels, options.logLevel ?? 'warn'));
  return {
    apiKey,
    baseUrl,
    timeout: checked('timeout', milliseconds, options.timeout),
    totalTimeout: checked('totalTimeout', milliseconds, options.totalTimeout),
    maxRetries: checked('maxRetries', (count) => wholeNumber(count, 0), options.maxRetries) ?? 3,
    retryDelay: checked('retryDelay', duration, options.retryDelay) ?? 500,
    maxRetryAfter: checked('maxRetryAfter', duration, options.maxRetryAfter) ?? 60_000,
    maxResponseSize:
      checked('maxResponseSize', (bytes) => wholeNumber(bytes, 1), options.maxResponseSize) ??
      64 * 1024 * 1024,
    pacing: sharedPacing(apiKey, baseUrl, options.rateLimit ?? 'auto', log.warn),
    fetch: toFetch(options.fetch),
    headers: toHeaders(options.headers),
    hooks: toHooks(options.hooks),
    log,
    responseValidation: oneOf(
      'responseValidation',
      responseValidations,
      options.responseValidation ?? 'throw',
    ),
  };
}

function toApiKey(apiKey: ClientOptions['apiKey']): Settings['apiKey'] {
  if (apiKey === undefined) {
    throw new ConfigurationError(
      'apiKey: give this option or set the environment variable DATA_QUALITY_API_KEY',
    );
  }
  return typeof apiKey === 'function' ? apiKey : checkKey(apiKey);
}

/** Called without the client as `this`: a global fetch refuses any other. */
function toFetch(fetch: ClientOptions['fetch']): typeof globalThis.fetch {
  if (fetch === undefined) return (input, init) => globalThis.fetch(input, init);
  if (typeof fetch !== 'function') throw new ConfigurationError('fetch: must be a function');
  return fetch;
}

function toHeaders(headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const problem = invalidHeaders(headers);
  if (problem !== undefined) throw new ConfigurationError(`headers: ${problem}`);
  return Object.fromEntries(new Headers(headers));
}

function toHooks(hooks: ClientOptions['hooks'] = []): readonly Hooks[] {
  const given = [hooks].flat();
  for (const one of given) checkHooks(one);
  return given;
}

function checkHooks(hooks: Hooks): void {
  for (const [name, hook] of Object.entries(checkObject('hooks', hooks))) {
    if (!Object.hasOwn(hookNames, name)) {
      throw new ConfigurationError(
        `Unknown hook "${name}". Valid hooks: ${Object.keys(hookNames).join(', ')}`,
      );
    }
    if (hook !== undefined && typeof hook !== 'function') {
      throw new ConfigurationError(`hooks.${name}: must be a function`);
    }
  }
}

function checkObject<Value extends object>(name: string, value: Value): Value {
  if (typeof value === 'object' && value !== null) return value;
  throw new ConfigurationError(`${name}: must be an object, not ${String(value)}`);
}

function checkSwitch(name: string, value: boolean | undefined): void {
  if (value !== undefined && typeof value !== 'boolean') {
    throw new ConfigurationError(`${name}: must be true or false, not ${String(value)}`);
  }
}

/** Leaves out the levels below the chosen one. */
function toLog(logger: Logger | undefined, level: LogLevel): Partial<Logger> {
  if (logger === undefined) return {};
  const [, ...methods] = logLevels;
  for (const name of methods) {
    if (typeof checkObject('logger', logger)[name] !== 'function') {
      throw new ConfigurationError(`logger: must have a method ${name}, as console has`);
    }
  }
  const logged = methods.slice(0, logLevels.indexOf(level));
  return Object.fromEntries(
    logged.map((name) => [name, (message: string) => logger[name](`data-quality-client: ${message}`)]),
  );
}

function checked(
  name: string,
  problemWith: (value: unknown) => string | undefined,
  value: number | undefined,
): number | undefined {
  const problem = value === undefined ? undefined : problemWith(value);
  if (problem !== undefined) throw new ConfigurationError(`${name}: ${problem}`);
  return value;
}

function duration(value: unknown): string | undefined {
  return typeof value === 'number' && value >= 0
    ? undefined
    : `must be a number of milliseconds, 0 or more, not ${String(value)}`;
}

function oneOf<Value extends string>(name: string, allowed: readonly Value[], value: Value): Value {
  if (allowed.includes(value)) return value;
  throw new ConfigurationError(`${name}: must be one of ${allowed.join(', ')}, not ${JSON.stringify(value)}`);
}
