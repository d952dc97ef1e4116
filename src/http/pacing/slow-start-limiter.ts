import type { InFlight } from './in-flight.ts';
import type { LimitSignals, RateLimiter } from './rate-limiter.ts';

/** How long nothing is sent after a 429 that names no time, in ms: the shortest window of the service. */
const defaultPauseMs = 1000;
/** How much longer that pause gets with each refusal in a row, and how long at most: the minute may be full. */
const pauseGrowth = 2;
const longestGuessMs = 10_000;
/**
 * A longer `Retry-After` stops nobody but the request that met it, in ms: the longest window of the service is a
 * minute, and the others must not wait silently for what looks like a quota.
 */
const longestPauseMs = 60_000;
/**
 * After so long without a request, in ms, what is known about how many may be on their way is out of date. Longer
 * than slow requests are waited for.
 */
const idleMs = 5000;
/**
 * Until so many requests are through, each response adds a seventh of a request to those that may be on their way,
 * and one afterwards: whatever is on its way when a limit is met is refused, and the limits that no header
 * announces are mostly met within the first fifty.
 */
const carefulRequests = 50;
const carefulGrowth = 0.15;
const boldGrowth = 1;
/** For so long after a pause, in ms, no more than `probationRequests` are on their way: the limit may be unknown still. */
const probationMs = 1000;
const probationRequests = 3;

/**
 * Stops all requests after a 429 until its `Retry-After` is over, then lets them go gradually: one at first, and
 * more with every response. Before anything is known, `initialConcurrency` may be on their way.
 */
export class SlowStartLimiter implements RateLimiter {
  readonly #inFlight: InFlight;
  #initialConcurrency: number;
  #concurrency: number;
  #pausedUntil = 0;
  #refusalsInARow = 0;
  #lastSend = 0;
  /** The number of completed requests that `#concurrency` already reflects. */
  #reflected = 0;
  /** Whether there was a 429. */
  #wasRefused = false;

  constructor(inFlight: InFlight, initialConcurrency: number) {
    this.#inFlight = inFlight;
    this.#initialConcurrency = initialConcurrency;
    this.#concurrency = initialConcurrency;
  }

  get reason(): string {
    return 'the service returned 429';
  }

  /** Sends as many at once as the service is known to accept in a second. */
  adopt(perSecond: number): void {
    this.#initialConcurrency = perSecond;
    this.#concurrency = Math.max(this.#concurrency, perSecond);
  }

  /** How many requests may be sent at once, at `now`. */
  available(now: number): number {
    if (now < this.#pausedUntil) return 0;
    const isOnProbation = this.#wasRefused && now < this.#pausedUntil + probationMs;
    const concurrency = isOnProbation ? Math.min(this.#concurrency, probationRequests) : this.#concurrency;
    return Math.max(0, Math.ceil(concurrency - this.#inFlight.size));
  }

  advance(now: number): void {
    // What was sent before the pause must not add to what may follow it.
    if (now < this.#pausedUntil) return;
    const { size, completed } = this.#inFlight;
    const fresh = completed - this.#reflected;
    this.#reflected = completed;
    // Concurrency that was not used says nothing about how much there is.
    if (size + fresh < this.#concurrency) return;
    this.#concurrency += fresh * (completed < carefulRequests ? carefulGrowth : boldGrowth);
  }

  blockedMs(now: number): number {
    if (now < this.#pausedUntil) return this.#pausedUntil - now;
    return this.available(now) > 0 ? 0 : this.#inFlight.msUntilExpiry(now);
  }

  estimate(now: number): number {
    // How soon responses will come cannot be foreseen, and it is seldom worth a word.
    return Math.max(0, this.#pausedUntil - now);
  }

  onSend(now: number): void {
    if (now - this.#lastSend > idleMs) {
      this.#concurrency = Math.min(this.#concurrency, this.#initialConcurrency);
    }
    this.#lastSend = now;
  }

  onResponse({ status, retryAfterMs }: LimitSignals, now: number): void {
    const wasPaused = now < this.#pausedUntil;
    if (status !== 429) {
      if (!wasPaused) this.#refusalsInARow = 0;
    } else if (retryAfterMs === undefined || retryAfterMs <= longestPauseMs) {
      // Those that were sent together with the first that was refused say the same again.
      if (!wasPaused) this.#refusalsInARow++;
      const growing = defaultPauseMs * pauseGrowth ** (this.#refusalsInARow - 1);
      const pauseMs = retryAfterMs ?? (wasPaused ? defaultPauseMs : Math.min(growing, longestGuessMs));
      this.#pausedUntil = Math.max(this.#pausedUntil, now + pauseMs);
      this.#concurrency = 1;
      this.#wasRefused = true;
    }
    if (now < this.#pausedUntil) this.#reflected = this.#inFlight.completed;
  }

  onNoResponse(): void {
    // Its place among those on their way is free again.
  }
}
