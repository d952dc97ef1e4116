import type { Brake } from './brake.ts';

/**
 * The longest time a call is taken to be on its way, in ms. Until it has arrived it may fall into a later window
 * of the service than of ours, so the room it took is given back that much later; a first call, with its
 * connection still to be made, takes about this long.
 */
const arrivalMs = 200;

/**
 * At most `limit` calls in any window of `windowMs`, wherever the service's own windows begin.
 *
 * The window is counted from the latest moment at which a call can have arrived: its answer, or `arrivalMs`
 * after it was sent. Which answer belongs to which call does not matter: by the time of the n-th answer, n calls
 * have arrived.
 */
export class SlidingWindow implements Brake {
  readonly reason: string;
  readonly #windowMs: number;
  #limit: number;
  /** For the calls of the window, oldest first: when each was sent, or, once that is known, had arrived. */
  #times: number[] = [];
  #first = 0;
  #firstUnarrived = 0;

  constructor(limit: number, windowMs: number, reason: string) {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.reason = reason;
  }

  get limit(): number {
    return this.#limit;
  }

  set limit(limit: number) {
    this.#limit = limit;
  }

  delay(now: number, ahead = 0): number {
    this.#forget(now);
    const size = this.#times.length - this.#first;
    const over = size + ahead - this.#limit;
    if (over < 0) return 0;
    // Calls that have not been sent yet will go, at best, one window after those in whose room they go.
    const rounds = Math.floor(over / this.#limit);
    return this.#end(this.#first + (over % this.#limit), now) + rounds * this.#windowMs - now;
  }

  take(now: number): void {
    this.#times.push(now);
  }

  observe(_answer: unknown, now: number): void {
    this.#arriveLate(now);
    if (this.#firstUnarrived < this.#times.length) this.#times[this.#firstUnarrived++] = now;
  }

  /** When the window of a call ends; of one that has not been sent, when it would end if it were sent now. */
  #end(index: number, now: number): number {
    const time = this.#times[index] ?? now;
    return time + (index < this.#firstUnarrived ? 0 : arrivalMs) + this.#windowMs;
  }

  #arriveLate(now: number): void {
    for (; this.#firstUnarrived < this.#times.length; this.#firstUnarrived++) {
      const latest = (this.#times[this.#firstUnarrived] ?? 0) + arrivalMs;
      if (latest > now) return;
      this.#times[this.#firstUnarrived] = latest;
    }
  }

  #forget(now: number): void {
    this.#arriveLate(now);
    while (this.#first < this.#firstUnarrived && this.#end(this.#first, now) <= now) this.#first++;
    // Cutting off the front is dear, so it is done for many at once.
    if (this.#first === this.#times.length || this.#first >= 1024) {
      this.#times = this.#times.slice(this.#first);
      this.#firstUnarrived -= this.#first;
      this.#first = 0;
    }
  }
}
