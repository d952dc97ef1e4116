import { Moments } from './moments.ts';

/**
 * The longest time a call takes to arrive, in ms, as far as is known before it is answered. Until it has arrived
 * it may fall into a later window of the service than of ours; a first call, with its connection still to be
 * made, can take this long.
 */
export const longestArrivalMs = 500;
/**
 * How long a call counts as not yet seen by the service, in ms: one that takes longer is slow, not on its way.
 */
const longestOnTheWayMs = 2000;
/** How long a first call takes to arrive, in ms, as a rule. */
const firstArrivalMs = 250;
/** How fast an answer that took long is forgotten, with each that comes after it. */
const forgetting = 0.6;

/**
 * Calls that were sent and that the service may not have counted yet. Times are those of `performance.now()`.
 *
 * Which call an answer belongs to does not matter: whichever it is, one more has surely been counted.
 */
export class InFlight {
  readonly #sent = new Moments();
  /** How many are through: answered, or too long ago to be still on their way. */
  completed = 0;
  #slowest = firstArrivalMs;

  get size(): number {
    return this.#sent.size;
  }

  /** Within how many ms calls have arrived, going by how long the latest ones took to be answered. */
  get arrivalMs(): number {
    return Math.min(Math.ceil(this.#slowest), longestArrivalMs);
  }

  add(now: number): void {
    this.#sent.add(now);
  }

  /** An answer came. */
  complete(now: number): void {
    this.lapse(now);
    const sentAt = this.#sent.at(0);
    if (sentAt === undefined) return;
    this.#slowest = Math.max(now - sentAt, this.#slowest * forgetting);
    this.#shift();
  }

  /** A call sent at `sentAt` ended without an answer. */
  lose(sentAt: number, now: number): void {
    this.lapse(now);
    // One that was sent too long ago is no longer among these.
    if (now - sentAt < longestOnTheWayMs) this.#sent.shift();
  }

  /** Lets go of calls that were sent too long ago to count. */
  lapse(now: number): void {
    while (this.size > 0 && this.untilLapse(now) <= 0) this.#shift();
  }

  /** Ms until the oldest no longer counts. */
  untilLapse(now: number): number {
    return (this.#sent.at(0) ?? now) + longestOnTheWayMs - now;
  }

  #shift(): void {
    this.completed++;
    this.#sent.shift();
  }
}
