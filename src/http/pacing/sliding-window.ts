import type { Brake } from './brake.ts';
import { longestArrivalMs } from './in-flight.ts';
import { Moments } from './moments.ts';

/**
 * At most `limit` calls in any window of `windowMs`, wherever the service's own windows begin.
 *
 * The window is counted from the latest moment at which a call can have arrived: its answer, or `longestArrivalMs`
 * after it was sent. Which answer belongs to which call does not matter: by the time of the n-th answer, n calls
 * have arrived.
 */
export class SlidingWindow implements Brake {
  readonly reason: string;
  /** How many calls a window may hold; may change at any time. */
  limit: number;
  readonly #windowMs: number;
  /** For the calls of the window: when each was sent, or, once that is known, had arrived. */
  readonly #calls = new Moments();
  /** How many of them have arrived; they come first. */
  #arrived = 0;
  /** How many of the calls that were taken to have arrived have yet to be answered. */
  #unanswered = 0;

  constructor(limit: number, windowMs: number, reason: string) {
    this.limit = limit;
    this.#windowMs = windowMs;
    this.reason = reason;
  }

  /** How many calls may be sent at once. */
  room(now: number): number {
    this.#arriveLate(now);
    while (this.#arrived > 0 && this.#end(0, now) <= now) {
      this.#calls.shift();
      this.#arrived--;
    }
    return this.limit - this.#calls.size;
  }

  delay(now: number, ahead = 0): number {
    const over = ahead - this.room(now);
    if (over < 0) return 0;
    // Calls that have not been sent yet will go, at best, one window after those in whose room they go.
    const rounds = Math.floor(over / this.limit);
    return this.#end(over % this.limit, now) + rounds * this.#windowMs - now;
  }

  take(now: number): void {
    this.#calls.add(now);
  }

  observe(_answer: unknown, now: number): void {
    this.#arriveLate(now);
    if (this.#unanswered > 0) this.#unanswered--;
    else if (this.#arrived < this.#calls.size) this.#calls.replace(this.#arrived++, now);
  }

  /** When the window of a call ends; of one that has not been sent, when it would end if it were sent now. */
  #end(index: number, now: number): number {
    const time = this.#calls.at(index) ?? now;
    return time + (index < this.#arrived ? 0 : longestArrivalMs) + this.#windowMs;
  }

  #arriveLate(now: number): void {
    while (this.#arrived < this.#calls.size) {
      const latest = (this.#calls.at(this.#arrived) ?? now) + longestArrivalMs;
      if (latest > now) return;
      this.#calls.replace(this.#arrived++, latest);
      this.#unanswered++;
    }
  }
}
