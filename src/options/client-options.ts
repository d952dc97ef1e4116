// The options of a client, their defaults and the environment.

import type { RateLimitOption } from '../http/pacing/rate-limit-option.ts';
import type { Hooks } from '../http/hooks.ts';
import type { Logger, LogLevel, ResponseValidation } from '../http/settings.ts';

/** The options of a client; everything but `apiKey` and `baseUrl` has a default. */
export interface ClientOptions {
  /**
   * The key, or a function that returns it for each attempt.
   *
   * @default the environment variable DATA_QUALITY_API_KEY
   */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /**
   * The service's base address. A path prefix is kept; a trailing slash or `/api/v1` is not doubled.
   *
   * @default the environment variable DATA_QUALITY_BASE_URL
   */
  readonly baseUrl?: string | URL | undefined;
  /**
   * Milliseconds for one attempt, reading the body included. A value given here applies to all methods.
   *
   * @default 30_000, for check, capture and upload 300_000
   */
  readonly timeout?: number | undefined;
  /**
   * Milliseconds for a whole call: attempts, waits and queueing.
   *
   * @default none
   */
  readonly totalTimeout?: number | undefined;
  /**
   * Attempts after the first; 0 for none.
   *
   * @default 3
   */
  readonly maxRetries?: number | undefined;
  /**
   * Most milliseconds before the first retry; it doubles with each further one, up to 16 times as much, and each wait
   * is a random part of it. A `Retry-After` of the service takes precedence.
   *
   * @default 500
   */
  readonly retryDelay?: number | undefined;
  /**
   * Milliseconds; a longer `Retry-After` is not waited for, the error is thrown at once.
   *
   * @default 60_000
   */
  readonly maxRetryAfter?: number | undefined;
  /**
   * Most bytes of a response body, after decompression; a longer one is not read to its end, and the call fails with
   * `ResponseValidationError`.
   *
   * @default 67_108_864 (64 MiB)
   */
  readonly maxResponseSize?: number | undefined;
  /**
   * How calls are paced: `'auto'` learns the limit from the service's headers (a tier from its minute) and 429s, `false`
   * is off, else the limit itself or the tier that has it.
   *
   * @default 'auto'
   */
  readonly rateLimit?: RateLimitOption | undefined;
  /**
   * The `fetch` to use.
   *
   * @default globalThis.fetch
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Headers added to every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Observers of every call; of several, each is called, in their order. */
  readonly hooks?: Hooks | readonly Hooks[] | undefined;
  /** Where log lines go, such as `console`; without it nothing is logged. The key never appears in them. */
  readonly logger?: Logger | undefined;
  /**
   * The least important lines that are logged.
   *
   * @default 'warn'
   */
  readonly logLevel?: LogLevel | undefined;
  /**
   * What happens if a 2xx response has an unexpected body.
   *
   * @default 'throw'
   */
  readonly responseValidation?: ResponseValidation | undefined;
  /**
   * Allows a browser, where everyone who sees the page can read the key.
   *
   * @default false
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
  /**
   * Allows plain http to other machines, where everyone on the way can read the key.
   *
   * @default false
   */
  readonly allowInsecureHttp?: boolean | undefined;
}
