// The options of a client, their defaults and the environment.

import { ConfigurationError } from './errors/configuration-error.ts';
import { checkKey } from './http/headers.ts';
import type { RateLimitOption } from './http/pacing/rate-limit-option.ts';
import { invalidHeaders, milliseconds, retryCount } from './http/request-options.ts';
import type { Hooks, Logger, LogLevel, ResponseValidation, Settings } from './http/settings.ts';
import { sharedPacing } from './http/pacing/shared-pacing.ts';
import { isLoopback } from './loopback.ts';

/** The options of a client; everything but `apiKey` and `baseUrl` has a default. */
export interface ClientOptions {
  /** The key, or a function that gives it for each attempt; default: the environment variable `DATA_QUALITY_API_KEY`. */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /**
   * The service's base address; default: the environment variable `DATA_QUALITY_BASE_URL`. A path prefix is
   * kept, a trailing slash or `/api/v1` is not doubled.
   */
  readonly baseUrl?: string | URL | undefined;
  /**
   * Milliseconds for one attempt, reading the body included; default 30,000, for check, capture and upload
   * 300,000. A value given here applies to all of them.
   */
  readonly timeout?: number | undefined;
  /** Milliseconds for a whole call: attempts, waits and queueing; default none. */
  readonly totalTimeout?: number | undefined;
  /** Attempts after the first; default 3, 0 for none. */
  readonly maxRetries?: number | undefined;
  /**
   * Most milliseconds before the first retry; it doubles with each further one, up to 16 times as much, and each wait
   * is a random part of it. A `Retry-After` of the service goes first.
   *
   * @default 500
   */
  readonly retryDelay?: number | undefined;
  /** Milliseconds; a longer `Retry-After` is not waited for, the error is thrown at once. Default 60,000. */
  readonly maxRetryAfter?: number | undefined;
  /**
   * Most bytes of a response body, after decompression; a longer one is not read on, and the call fails with
   * `ResponseValidationError`.
   *
   * @default 67_108_864 (64 MiB)
   */
  readonly maxResponseSize?: number | undefined;
  /**
   * How calls are paced: `'auto'` (default) learns the limit from the service's headers, `false` is off, else the
   * limit itself or the tier that has it.
   */
  readonly rateLimit?: RateLimitOption | undefined;
  /** The `fetch` to use; default the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Headers added to every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Observers of every call. */
  readonly hooks?: Hooks | undefined;
  /** Where log lines go, `console` for example; default nowhere. The key never appears in them. */
  readonly logger?: Logger | undefined;
  /** The least important lines that are logged; default `warn`. */
  readonly logLevel?: LogLevel | undefined;
  /** What happens if a 2xx response has an unexpected body; default `throw`. */
  readonly responseValidation?: ResponseValidation | undefined;
  /** Allows a browser, where everyone who sees the page can read the key; default false. */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
  /** Allows plain http beyond loopback, where everyone on the way can read the key; default false. */
  readonly allowInsecureHttp?: boolean | undefined;
}

const logLevels = ['off', 'error', 'warn', 'info', 'debug'] as const;
const responseValidations = ['throw', 'warn', 'off'] as const;

const hookNames: Readonly<Record<keyof Hooks, true>> = {
  onRequest: true,
  onResponse: true,
  onRetry: true,
  onWait: true,
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
    maxRetries: checked('maxRetries', retryCount, options.maxRetries) ?? 3,
    retryDelay: checked('retryDelay', duration, options.retryDelay) ?? 500,
    maxRetryAfter: checked('maxRetryAfter', duration, options.maxRetryAfter) ?? 60_000,
    maxResponseSize: checked('maxResponseSize', byteCount, options.maxResponseSize) ?? 64 * 1024 * 1024,
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

function environment(name: string): string | undefined {
  try {
    return runtimeProcess()?.env?.[name] || undefined;
  } catch {
    // Deno throws unless it was started with the permission to read the environment.
    return undefined;
  }
}

/** What is used of a `process`, which not every runtime has. */
interface RuntimeProcess {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly versions?: Readonly<Record<string, string | undefined>>;
}

function runtimeProcess(): RuntimeProcess | undefined {
  return (globalThis as { process?: RuntimeProcess }).process;
}

/** The first request on an older Node would fail in the middle, for want of a function. */
function refuseOldNode(): void {
  // Other runtimes say which Node they resemble.
  if ('Deno' in globalThis || 'Bun' in globalThis) return;
  const version = runtimeProcess()?.versions?.['node'];
  const [major = 0, minor = 0] = version?.split('.').map(Number) ?? [];
  if (version !== undefined && (major < 22 || (major === 22 && minor < 12))) {
    throw new ConfigurationError(`data-quality-client needs Node 22.12 or later; this is Node ${version}`);
  }
}

function refuseBrowser(allowed: boolean | undefined): void {
  if ('window' in globalThis && 'document' in globalThis && allowed !== true) {
    throw new ConfigurationError(
      'dangerouslyAllowBrowser: in a browser everyone who sees the page can read the key; call the service from a server, or set this option to true',
    );
  }
}

function toApiKey(apiKey: ClientOptions['apiKey']): Settings['apiKey'] {
  if (apiKey === undefined) {
    throw new ConfigurationError(
      'apiKey: give this option or set the environment variable DATA_QUALITY_API_KEY',
    );
  }
  return typeof apiKey === 'function' ? apiKey : checkKey(apiKey);
}

/** A query may contain a secret. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/** Keeps a path prefix; drops the trailing slash and `/api/v1`, which every path of the interface begins with. */
function toBaseUrl(baseUrl: string | URL | undefined, allowInsecureHttp: boolean | undefined): string {
  if (baseUrl === undefined) {
    throw new ConfigurationError(
      'baseUrl: give this option or set the environment variable DATA_QUALITY_BASE_URL',
    );
  }
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch (cause) {
    throw new ConfigurationError(
      `baseUrl: ${JSON.stringify(withoutQuery(String(baseUrl)))} is not an absolute URL`,
      {
        cause,
      },
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError('baseUrl: must not contain credentials; use the option apiKey');
  }
  if (url.search !== '' || url.hash !== '') {
    // They may contain a secret, so they are not shown.
    throw new ConfigurationError('baseUrl: must end with its path, without a query and a fragment');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ConfigurationError(`baseUrl: must begin with https://, not ${url.protocol}`);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && allowInsecureHttp !== true) {
    throw new ConfigurationError(
      `baseUrl: plain http would show the key to everyone on the way to ${url.host}; use https, or set allowInsecureHttp to true`,
    );
  }
  return url.href
    .replace(/\/+$/, '')
    .replace(/\/api\/v1$/, '')
    .replace(/\/+$/, '');
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

function toHooks(hooks: Hooks = {}): Hooks {
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
  return hooks;
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

function byteCount(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1
    ? undefined
    : `must be a whole number of bytes, 1 or more, not ${String(value)}`;
}

function oneOf<Value extends string>(name: string, allowed: readonly Value[], value: Value): Value {
  if (allowed.includes(value)) return value;
  throw new ConfigurationError(`${name}: must be one of ${allowed.join(', ')}, not ${JSON.stringify(value)}`);
}
