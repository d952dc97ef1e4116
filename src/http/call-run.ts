import type { Endpoint } from '../contract/endpoint.ts';
import { ApiError } from '../errors/api-error.ts';
import type { CallDescription } from '../errors/call-description.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { ApiResponse, ResponseMeta } from './api-promise.ts';
import { CallDeadline } from './call-deadline.ts';
import type { OutgoingRequest } from './encode.ts';
import { checkKey, parseRetryAfter, requestHeaders, requestIdOf } from './headers.ts';
import type { ObservedCall, RequestEvent } from './hooks.ts';
import { notify } from './notify.ts';
import { parseRateLimit } from './pacing/rate-limit-headers.ts';
import { type Announced, readResponse } from './read-response.ts';
import { backOff, isAmbiguous, mayRetry } from './retry.ts';
import { sendInside } from './send-inside.ts';
import type { RequestOptions, Settings } from './settings.ts';
import { type RawResponse, transport } from './transport.ts';
import { wait } from './wait.ts';

const defaultTimeout = 30_000;

/** A wait of this many ms is long enough to look like a hang, so the log reports it at its default level. */
const longWait = 1000;

/** What one call remembers from attempt to attempt. */
export class CallRun {
  readonly #settings: Settings;
  readonly #endpoint: Endpoint;
  readonly #outgoing: OutgoingRequest;
  readonly #call: ObservedCall;
  readonly #options: RequestOptions;
  readonly #deadline: CallDeadline;
  readonly #startedAt = performance.now();
  #attempts = 0;
  #maybeProcessed = false;
  #lastError: unknown;

  constructor(
    settings: Settings,
    endpoint: Endpoint,
    outgoing: OutgoingRequest,
    call: ObservedCall,
    options: RequestOptions,
  ) {
    this.#settings = settings;
    this.#endpoint = endpoint;
    this.#outgoing = outgoing;
    this.#call = call;
    this.#options = options;
    this.#deadline = new CallDeadline(options.signal, options.totalTimeout ?? settings.totalTimeout);
  }

  /** Reports the end of the call, and lets go of the caller's signal. */
  end(ending: { readonly data: unknown; readonly error: unknown }): void {
    this.#deadline.dispose();
    const durationMs = performance.now() - this.#startedAt;
    notify(this.#settings, 'onCallEnd', {
      call: this.#call,
      attempts: this.#attempts,
      durationMs,
      ...ending,
    });
  }

  /** Pacing, then the exchange, then the value. */
  async attempt(): Promise<ApiResponse<unknown>> {
    try {
      const admission = this.#admission();
      if (admission !== undefined) await admission;
      const { apiKey, pacing } = this.#settings;
      const acquiredAt = performance.now();
      let key: string;
      let sentAt: number | undefined;
      let response: RawResponse;
      try {
        key = typeof apiKey === 'string' ? apiKey : await this.#key(apiKey);
        sentAt = performance.now();
        response = await this.#send(key);
      } catch (error) {
        pacing.onNoResponse(acquiredAt, isAmbiguous(error));
        if (sentAt !== undefined) {
          const durationMs = performance.now() - sentAt;
          notify(this.#settings, 'onNoResponse', { ...this.#requestEvent(), error, durationMs });
        }
        throw error;
      }
      const announced = this.#receive(response, sentAt);
      const data = readResponse(this.#endpoint, this.#describe(), response, key, announced, this.#settings);
      return { data, meta: this.#meta(response, announced) };
    } catch (error) {
      this.#maybeProcessed ||= isAmbiguous(error);
      this.#lastError = error;
      throw error;
    }
  }

  /** Waits for the next attempt; false if there must be none. */
  async pause(error: Error, failures: number): Promise<boolean> {
    if (!mayRetry(error, this.#endpoint.retry)) return false;
    const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
    const { maxRetryAfter, retryDelay, log } = this.#settings;
    if (asked !== undefined && asked > Math.min(maxRetryAfter, this.#deadline.remainingMs)) return false;
    const delayMs = asked ?? backOff(failures, retryDelay);
    notify(this.#settings, 'onRetry', { ...this.#requestEvent(), error, delayMs });
    log[delayMs >= longWait ? 'warn' : 'info']?.(
      `waiting ${Math.round(delayMs)} ms before attempt ${this.#attempts + 1}: ${error.message}`,
    );
    await this.#alive(wait(delayMs, this.#deadline.signal));
    return true;
  }

  /** What the rate limit makes this attempt wait for; nothing if it may be sent at once. */
  #admission(): Promise<void> | undefined {
    if (this.#deadline.aborted) throw this.#deadline.error(this.#describe(), false, this.#lastError);
    const { method, path } = this.#outgoing;
    const { pacing, log } = this.#settings;
    const admission = pacing.acquire(this.#deadline.signal, ({ ms, reason }) => {
      notify(this.#settings, 'onWait', { call: this.#call, method, path, ms, reason });
      if (ms < longWait) return;
      log.warn?.(`${method} ${path} waits ${Math.round(ms)} ms for the rate limit: ${reason}`);
    });
    return admission && this.#alive(admission);
  }

  async #key(apiKey: () => string | Promise<string>): Promise<string> {
    // In a `then`, so that a function that throws and one that rejects are the same.
    const given = Promise.resolve()
      .then(apiKey)
      .catch((cause: unknown) => {
        throw new ConfigurationError('apiKey: the function that returns the key failed', { cause });
      });
    return checkKey(await this.#alive(this.#deadline.race(given)));
  }

  #send(key: string): Promise<RawResponse> {
    const settings = this.#settings;
    const limits = {
      timeoutMs: this.#options.timeout ?? settings.timeout ?? this.#endpoint.timeout ?? defaultTimeout,
      maxResponseSize: settings.maxResponseSize,
      deadline: this.#deadline,
    };
    this.#attempts++;
    const event = this.#requestEvent();
    notify(settings, 'onRequest', event);
    return sendInside(settings, event, (added) => {
      const { contentType } = this.#outgoing;
      const headers = requestHeaders(key, contentType, added, settings.headers, this.#options.headers);
      return transport(this.#outgoing, headers, this.#describe(), limits, settings.fetch);
    });
  }

  #requestEvent(): RequestEvent {
    const { method, path } = this.#outgoing;
    return { call: this.#call, method, path, attempt: this.#attempts };
  }

  /** Reports a response to everybody; returns what it announces. */
  #receive({ status, headers }: RawResponse, sentAt: number): Announced {
    const durationMs = performance.now() - sentAt;
    const now = Date.now();
    const rateLimit = parseRateLimit(headers, now);
    const retryAfterMs = status === 429 || status === 503 ? parseRetryAfter(headers, now) : undefined;
    this.#settings.pacing.onResponse({ status, rateLimit, retryAfterMs });
    const event = this.#requestEvent();
    notify(this.#settings, 'onResponse', { ...event, status, headers, rateLimit, durationMs });
    const { method, path, attempt } = event;
    this.#settings.log.debug?.(
      `${method} ${path} → ${status} in ${Math.round(durationMs)} ms (attempt ${attempt})`,
    );
    return { rateLimit, retryAfterMs };
  }

  #meta({ status, headers }: RawResponse, { rateLimit }: Announced): ResponseMeta {
    const durationMs = performance.now() - this.#startedAt;
    return {
      status,
      headers,
      requestId: requestIdOf(headers),
      rateLimit,
      attempts: this.#attempts,
      durationMs,
    };
  }

  #describe(): CallDescription {
    const { method, path } = this.#outgoing;
    return { method, path, attempts: this.#attempts, maybeProcessedBefore: this.#maybeProcessed };
  }

  /** Waits for `work`, which ends when the call must end, and then throws what says so. */
  async #alive<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!this.#deadline.aborted) throw error;
      throw this.#deadline.error(this.#describe(), false, this.#lastError);
    }
  }
}
