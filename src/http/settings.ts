import type { Hooks } from './hooks.ts';
import type { Pacing } from './pacing/pacing.ts';

/** Where log lines go; `console` fits. */
export interface Logger {
  /** Takes a line for each response. */
  debug(message: string): void;
  /** Takes lines of the level `info`; the client writes none today. */
  info(message: string): void;
  /** Takes a line for a long wait for the rate limit, an unexpected body, or a rate-limit store that cannot be reached. */
  warn(message: string): void;
  /** Takes a line for a hook that threw. */
  error(message: string): void;
}

/** The least important lines that are logged. */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug';

/** What a 2xx response with fields of another type leads to: an error, a warning in the log, or nothing. */
export type ResponseValidation = 'throw' | 'warn' | 'off';

/** The options of a client, checked and made whole once. */
export interface Settings {
  readonly apiKey: string | (() => string | Promise<string>);
  /** Without a trailing slash or `/api/v1`. */
  readonly baseUrl: string;
  /** Undefined if the caller set none, so that slow endpoints keep their own default. */
  readonly timeout: number | undefined;
  readonly totalTimeout: number | undefined;
  readonly maxRetries: number;
  readonly retryDelay: number;
  readonly maxRetryAfter: number;
  /** Bytes. */
  readonly maxResponseSize: number;
  readonly pacing: Pacing;
  readonly fetch: typeof globalThis.fetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly hooks: readonly Hooks[];
  /** A level that is not logged has no method, so that its lines are not even made. */
  readonly log: Partial<Logger>;
  readonly responseValidation: ResponseValidation;
}

/** Per-request options. Unset options fall back to the client's. */
export interface RequestOptions {
  /** Ends the call at once, whether it is under way, queued or between two attempts. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, reading the body included. */
  readonly timeout?: number | undefined;
  /** Milliseconds for the whole call: attempts, waits and queueing. */
  readonly totalTimeout?: number | undefined;
  /** Attempts after the first; 0 for none. */
  readonly maxRetries?: number | undefined;
  /** Headers added to this request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}
