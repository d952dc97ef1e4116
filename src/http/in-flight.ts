import { Moments } from './moments.ts';

/**
 * How long a call counts as not yet seen by the service, in ms: one that takes longer is slow, not on its way.
 */
const arrivalMs = 2000;

/**
 * Calls that were sent and that the service may not have counted yet. Times are those of `performance.now()`.
 *
 * Which call an answer belongs to does not matter: whichever it is, one more has surely been counted.
 */
export class InFlight {
  readonly #sent = new Moments();
  /** How many are through: answered, or too long ago to be still on their way. */
  completed = 0;

  get size(): number {
    return this.#sent.size;
  }

  add(now: number): void {
    this.#sent.add(now);
  }

  /** An answer came. */
  complete(now: number): void {
    this.lapse(now);
    if (this.size > 0) this.#shift();
  }

  /** Lets go of calls that were sent too long ago to count. */
  lapse(now: number): void {
    while (this.size > 0 && this.untilLapse(now) <= 0) this.#shift();
  }

  /** Ms until the oldest no longer counts. */
  untilLapse(now: number): number {
    return (this.#sent.at(0) ?? now) + arrivalMs - now;
  }

  #shift(): void {
    this.completed++;
    this.#sent.shift();
  }
}
