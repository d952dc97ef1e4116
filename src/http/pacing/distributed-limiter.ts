import { type InFlight, longestArrivalMs } from './in-flight.ts';
import type { Permits, RateLimitStore, RequestLimits } from './rate-limit-store.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** A store that has not responded after this time is unavailable, in ms; requests don't wait longer for it. */
const answerMs = 1000;
/** How often a store that is unavailable is tried again, in ms. */
const retryMs = 5000;
/** No store can know of a longer wait, in ms: the longest window of the service, and the way to it. */
const longestWaitMs = 60_000 + longestArrivalMs;

/** A limit and the store that counts it. */
export interface StoredLimit {
  readonly store: RateLimitStore;
  /** Returns what the store knows the API key by. */
  readonly key: () => string | Promise<string>;
  readonly limits: RequestLimits;
  readonly inFlight: InFlight;
  /** How many requests this process may send at once by itself. */
  readonly available: (now: number) => number;
}

/**
 * Keeps to limits that are shared with other processes, through a store. While the store is unavailable, or
 * returns what cannot be, it delays nobody: the process then keeps to the limits by itself.
 */
export class DistributedLimiter implements RateLimiter {
  readonly reason = 'the limit is shared with other processes';
  readonly #limit: StoredLimit;
  readonly #warn: (message: string) => void;
  #onPermits: () => void = () => {};
  #permits = 0;
  #isAsking = false;
  #isUnavailable = false;
  /** When asking makes sense again. */
  #askAt = 0;

  constructor(limit: StoredLimit, warn: (message: string) => void) {
    this.#limit = limit;
    this.#warn = warn;
  }

  /** Sets whom to notify when requests may go. */
  notify(onPermits: () => void): void {
    this.#onPermits = onPermits;
  }

  advance(): void {
    // Time alone brings no permits.
  }

  prepare(now: number, waiting: number): void {
    if (this.#permits > 0 || now < this.#askAt) return;
    // Requests don't wait for a store that is unavailable, so one that hangs is asked again.
    if (!this.#isAsking || this.#isUnavailable) void this.#ask(now, waiting);
  }

  blockedMs(now: number): number {
    if (this.#permits > 0 || this.#isUnavailable) return 0;
    return this.#isAsking ? Infinity : Math.max(0, this.#askAt - now);
  }

  estimate(now: number): number {
    return this.#isUnavailable ? 0 : Math.max(0, this.#askAt - now);
  }

  onSend(): void {
    if (this.#permits > 0) this.#permits--;
  }

  onResponse(): void {
    // The store counts what it granted, whatever became of it.
  }

  onNoResponse(): void {
    // The same is true here.
  }

  async #ask(now: number, waiting: number): Promise<void> {
    this.#isAsking = true;
    // Nothing must keep the process alive for a store that nobody waits for.
    const timer = this.#isUnavailable
      ? undefined
      : setTimeout(() => this.#lose(`no response within ${answerMs} ms`), answerMs);
    if (this.#isUnavailable) this.#askAt = now + retryMs;
    const { store, key, limits, inFlight, available } = this.#limit;
    // As many as this process itself may send: a permit that is not used at once is lost to all.
    const count = Math.max(1, Math.min(waiting, available(now)));
    try {
      const name = key();
      const request = {
        key: typeof name === 'string' ? name : await name,
        limits,
        count,
        arrivalMs: inFlight.arrivalMs,
      };
      this.#receive(await store.take(request), count);
    } catch (error) {
      this.#lose(error instanceof Error ? error.message : String(error));
    } finally {
      clearTimeout(timer);
      this.#isAsking = false;
    }
    this.#onPermits();
    // A permit is for now: later it would let a request into a window that others have filled.
    this.#permits = 0;
  }

  #receive({ granted, waitMs }: Permits, count: number): void {
    if (!(granted >= 0 && waitMs >= 0)) throw new Error('its response is not a grant');
    if (granted < count && !(waitMs > 0)) throw new Error('it grants too few requests and names no wait');
    if (waitMs > longestWaitMs) {
      throw new Error(`it names a wait of ${waitMs} ms, which is longer than any window`);
    }
    if (this.#isUnavailable) this.#warn('the rate limit is shared with other processes again');
    this.#isUnavailable = false;
    this.#permits = granted;
    this.#askAt = granted < count ? performance.now() + waitMs : 0;
  }

  #lose(reason: string): void {
    this.#askAt = performance.now() + retryMs;
    if (this.#isUnavailable) return;
    this.#isUnavailable = true;
    this.#warn(
      `the store of the rate limit cannot be used (${reason}); this process keeps to the limits by itself until it can`,
    );
    this.#onPermits();
  }
}
