import { longestArrivalMs } from './in-flight.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { TimestampQueue } from './timestamp-queue.ts';

/**
 * At most `limit` requests in any window of `windowMs`, wherever the service's own windows begin.
 *
 * The window is counted from the latest time at which a request can have arrived: its response, or
 * `longestArrivalMs` after it was sent. Which response belongs to which request does not matter: by the time of
 * the n-th response, n requests have arrived.
 */
export class SlidingWindowLimiter implements RateLimiter {
  readonly reason: string;
  /** How many requests a window allows; may change at any time. */
  limit: number;
  readonly #windowMs: number;
  /** For the requests of the window: when each was sent, or, once that is known, had arrived. */
  readonly #requests = new TimestampQueue();
  /** How many of them have arrived; they come first. */
  #arrived = 0;
  /** How many of the requests that were assumed to have arrived have no response yet. */
  #unanswered = 0;

  constructor(limit: number, windowMs: number, reason: string) {
    this.limit = limit;
    this.#windowMs = windowMs;
    this.reason = reason;
  }

  /** How many requests may be sent at once. */
  get available(): number {
    return this.limit - this.#requests.size;
  }

  advance(now: number): void {
    this.#assumeArrivals(now);
    while (this.#arrived > 0 && this.#end(0, now) <= now) {
      this.#requests.remove(0);
      this.#arrived--;
    }
  }

  blockedMs(now: number): number {
    return this.estimate(now, 0);
  }

  estimate(now: number, position: number): number {
    const over = position - this.available;
    if (over < 0) return 0;
    // Requests that have not been sent yet will go, at best, one window after those in whose place they go.
    const rounds = Math.floor(over / this.limit);
    return this.#end(over % this.limit, now) + rounds * this.#windowMs - now;
  }

  onSend(now: number): void {
    this.#requests.add(now);
  }

  onResponse(_signals: unknown, now: number): void {
    this.#assumeArrivals(now);
    if (this.#unanswered > 0) this.#unanswered--;
    else if (this.#arrived < this.#requests.size) this.#requests.replace(this.#arrived++, now);
  }

  onNoResponse(sentAt: number, mayHaveArrived: boolean, now: number): void {
    if (mayHaveArrived) return;
    this.advance(now);
    // The oldest of those it can be: were it a later one, its place would come back no sooner than it should.
    if (sentAt + longestArrivalMs > now) {
      this.#requests.remove(this.#arrived);
    } else if (this.#unanswered > 0) {
      const index = Math.max(0, this.#arrived - this.#unanswered--);
      if (sentAt + longestArrivalMs + this.#windowMs <= now) return;
      this.#requests.remove(index);
      this.#arrived--;
    }
  }

  /** When the window of a request ends; of one that has not been sent, when it would end if it were sent now. */
  #end(index: number, now: number): number {
    const time = this.#requests.at(index) ?? now;
    return time + (index < this.#arrived ? 0 : longestArrivalMs) + this.#windowMs;
  }

  #assumeArrivals(now: number): void {
    while (this.#arrived < this.#requests.size) {
      const latest = (this.#requests.at(this.#arrived) ?? now) + longestArrivalMs;
      if (latest > now) return;
      this.#requests.replace(this.#arrived++, latest);
      this.#unanswered++;
    }
  }
}
