import type { Endpoint } from '../contract/endpoint.ts';
import { type CallDescription, ConfigurationError, NotFoundError, type RateLimit } from '../errors.ts';
import { ApiPromise, type ApiResponse } from './api-promise.ts';
import { decode } from './decode.ts';
import { type CallInput, encode, type OutgoingRequest } from './encode.ts';
import { checkKey, requestHeaders } from './headers.ts';
import { Lifetime } from './lifetime.ts';
import { parseRateLimit } from './pacing/rate-limit-headers.ts';
import { checkRequestOptions } from './request-options.ts';
import { parseRetryAfter } from './retry-after.ts';
import { backOff, isAmbiguous, mayRetry, retryWhile } from './retry.ts';
import type { RequestOptions, Settings } from './settings.ts';
import { type Answer, transport } from './transport.ts';
import { wait } from './wait.ts';

const defaultTimeout = 30_000;

/** A wait of this many ms is long enough to look like a hang, so the log tells of it at its default level. */
const longWait = 1000;

/** Calls an endpoint: the one way from a resource method to the service and back. */
export type Call = <Params, Query, Body, Response>(
  endpoint: Endpoint<Params, Query, Body, Response>,
  input: CallInput,
  options?: RequestOptions,
) => ApiPromise<Response>;

/** Makes the function through which every resource calls the service. */
export function createCall(settings: Settings): Call {
  return <Params, Query, Body, Response>(
    endpoint: Endpoint<Params, Query, Body, Response>,
    input: CallInput,
    options: RequestOptions = {},
  ) =>
    // What the endpoint's schema let through is its response.
    new ApiPromise(complete(settings, endpoint, input, options) as Promise<ApiResponse<Response>>);
}

/** Check and encode, then attempts until there is a value or an error. */
async function complete(
  settings: Settings,
  endpoint: Endpoint,
  input: CallInput,
  options: RequestOptions,
): Promise<ApiResponse<unknown>> {
  checkRequestOptions(endpoint, options);
  const encoded = encode(endpoint, input, settings.baseUrl);
  const outgoing = encoded instanceof Promise ? await encoded : encoded;
  const lifetime = new Lifetime(options.signal, options.totalTimeout ?? settings.totalTimeout);
  const run = new CallRun(settings, endpoint, outgoing, options, lifetime);
  try {
    return await retryWhile(
      () => run.attempt(),
      (error, failures) => run.pause(error, failures),
      options.maxRetries ?? settings.maxRetries,
    );
  } finally {
    lifetime.end();
  }
}

/** What one call remembers from attempt to attempt. */
class CallRun {
  readonly #settings: Settings;
  readonly #endpoint: Endpoint;
  readonly #outgoing: OutgoingRequest;
  readonly #options: RequestOptions;
  readonly #lifetime: Lifetime;
  readonly #startedAt = performance.now();
  #attempts = 0;
  #maybeProcessed = false;
  #lastError: unknown;
  #retryAfterMs: number | undefined;

  constructor(
    settings: Settings,
    endpoint: Endpoint,
    outgoing: OutgoingRequest,
    options: RequestOptions,
    lifetime: Lifetime,
  ) {
    this.#settings = settings;
    this.#endpoint = endpoint;
    this.#outgoing = outgoing;
    this.#options = options;
    this.#lifetime = lifetime;
  }

  /** Pacing, then the exchange, then the value. */
  async attempt(): Promise<ApiResponse<unknown>> {
    try {
      const admission = this.#admission();
      if (admission !== undefined) await admission;
      const { apiKey } = this.#settings;
      const key = typeof apiKey === 'string' ? apiKey : await this.#key(apiKey);
      const sentAt = performance.now();
      const answer = await this.#send(key).catch((error: unknown) => {
        this.#settings.pacing.onNoResponse(sentAt, isAmbiguous(error));
        throw error;
      });
      const rateLimit = this.#receive(answer, sentAt);
      return this.#respond(this.#value(answer, key, rateLimit), answer, rateLimit);
    } catch (error) {
      this.#maybeProcessed ||= isAmbiguous(error);
      this.#lastError = error;
      throw error;
    }
  }

  /** Waits for the next attempt; false if there must be none. */
  async pause(error: Error, failures: number): Promise<boolean> {
    if (!mayRetry(error, this.#endpoint.retry)) return false;
    const asked = this.#retryAfterMs;
    if (asked !== undefined && asked > Math.min(this.#settings.maxRetryAfter, this.#lifetime.remainingMs)) {
      return false;
    }
    const delayMs = asked ?? backOff(failures);
    const { method, path } = this.#outgoing;
    this.#observe('onRetry', { method, path, attempt: this.#attempts, error, delayMs });
    this.#settings.log[delayMs >= longWait ? 'warn' : 'info']?.(
      `waiting ${Math.round(delayMs)} ms before attempt ${this.#attempts + 1}: ${error.message}`,
    );
    await this.#alive(wait(delayMs, this.#lifetime.signal));
    return true;
  }

  /** What the rate limit makes this attempt wait for; nothing where it may be sent at once. */
  #admission(): Promise<void> | undefined {
    if (this.#lifetime.over) throw this.#lifetimeError();
    const { method, path } = this.#outgoing;
    const admission = this.#settings.pacing.acquire(this.#lifetime.signal, ({ ms, reason }) => {
      this.#observe('onWait', { method, path, ms, reason });
      if (ms >= longWait) {
        this.#settings.log.warn?.(
          `${method} ${path} waits ${Math.round(ms)} ms for the rate limit: ${reason}`,
        );
      }
    });
    return admission && this.#alive(admission);
  }

  async #key(apiKey: () => string | Promise<string>): Promise<string> {
    // In a `then`, so that a function that throws and one that rejects are the same.
    const given = Promise.resolve()
      .then(apiKey)
      .catch((cause: unknown) => {
        throw new ConfigurationError('apiKey: the function that gives the key failed', { cause });
      });
    return checkKey(await this.#alive(this.#lifetime.race(given)));
  }

  #send(key: string): Promise<Answer> {
    const { headers: clientHeaders, fetch } = this.#settings;
    const { method, path, contentType } = this.#outgoing;
    const headers = requestHeaders(key, contentType, clientHeaders, this.#options.headers);
    const timeoutMs =
      this.#options.timeout ?? this.#settings.timeout ?? this.#endpoint.timeout ?? defaultTimeout;
    this.#retryAfterMs = undefined;
    this.#attempts++;
    this.#observe('onRequest', { method, path, attempt: this.#attempts });
    return transport(this.#outgoing, headers, this.#describe(), {
      timeoutMs,
      lifetime: this.#lifetime,
      fetch,
    });
  }

  /** Tells everybody of an answer; returns the rate limit it announces. */
  #receive({ status, headers }: Answer, sentAt: number): RateLimit | undefined {
    const durationMs = performance.now() - sentAt;
    const now = Date.now();
    const rateLimit = parseRateLimit(headers, now);
    if (status === 429 || status === 503) this.#retryAfterMs = parseRetryAfter(headers, now);
    this.#settings.pacing.onResponse({ status, rateLimit, retryAfterMs: this.#retryAfterMs });
    const { method, path } = this.#outgoing;
    const attempt = this.#attempts;
    this.#observe('onResponse', { method, path, attempt, status, headers, rateLimit, durationMs });
    this.#settings.log.debug?.(
      `${method} ${path} → ${status} in ${Math.round(durationMs)} ms (attempt ${attempt})`,
    );
    return rateLimit;
  }

  #value(answer: Answer, key: string, rateLimit: RateLimit | undefined): unknown {
    try {
      const context = { call: this.#describe(), key, rateLimit, settings: this.#settings };
      return decode(this.#endpoint, answer, context);
    } catch (error) {
      // A DELETE that may have worked the first time and finds nothing the second time has done its work.
      const isGone = error instanceof NotFoundError && error.code.endsWith('_NOT_FOUND');
      if (isGone && this.#maybeProcessed && this.#endpoint.method === 'DELETE') return { success: true };
      throw error;
    }
  }

  #respond(
    data: unknown,
    { status, headers }: Answer,
    rateLimit: RateLimit | undefined,
  ): ApiResponse<unknown> {
    const durationMs = performance.now() - this.#startedAt;
    return { data, meta: { status, headers, rateLimit, attempts: this.#attempts, durationMs } };
  }

  #describe(): CallDescription {
    const { method, path } = this.#outgoing;
    return { method, path, attempts: this.#attempts, maybeProcessedBefore: this.#maybeProcessed };
  }

  /** Waits for `work`, which ends with the call's lifetime, and then throws what says so. */
  async #alive<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw this.#lifetime.over ? this.#lifetimeError() : error;
    }
  }

  #lifetimeError(): Error {
    return this.#lifetime.error(this.#describe(), false, this.#lastError);
  }

  #observe<Name extends keyof Settings['hooks']>(
    name: Name,
    event: Parameters<NonNullable<Settings['hooks'][Name]>>[0],
  ): void {
    const hook = this.#settings.hooks[name] as ((observed: typeof event) => unknown) | undefined;
    if (hook === undefined) return;
    const report = (error: unknown): void =>
      this.#settings.log.error?.(`the hook ${name} threw: ${String(error)}`);
    try {
      const returned = hook(event);
      // An async function is a hook too, and nobody else would hear of its failure.
      if (returned instanceof Promise) returned.catch(report);
    } catch (error) {
      report(error);
    }
  }
}
