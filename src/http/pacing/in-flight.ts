import { TimestampQueue } from './timestamp-queue.ts';

/**
 * The longest time a request takes to arrive, in ms, as far as is known before its response. Until it has arrived
 * it may fall into a later window of the service than of ours; a first request, with its connection still to be
 * made, can take this long.
 */
export const longestArrivalMs = 500;
/** How long a request counts as not yet seen by the service, in ms: one that takes longer is slow, not on its way. */
const longestOnTheWayMs = 2000;
/** How long a first request takes to arrive, in ms, as a rule. */
const firstArrivalMs = 250;
/** How fast a response that took long is forgotten, with each that comes after it. */
const forgetting = 0.6;

/**
 * Requests that were sent and that the service may not have counted yet. Times are those of `performance.now()`.
 *
 * Which request a response belongs to does not matter: whichever it is, one more has surely been counted.
 */
export class InFlight {
  readonly #sent = new TimestampQueue();
  #completed = 0;
  #slowest = firstArrivalMs;

  get size(): number {
    return this.#sent.size;
  }

  /** How many are through: responded to, or sent too long ago to be still on their way. */
  get completed(): number {
    return this.#completed;
  }

  /** Within how many ms requests have arrived, judged by how long the latest response took. */
  get arrivalMs(): number {
    return Math.min(Math.ceil(this.#slowest), longestArrivalMs);
  }

  onSend(now: number): void {
    this.#sent.add(now);
  }

  onResponse(now: number): void {
    this.expire(now);
    const sentAt = this.#sent.at(0);
    if (sentAt === undefined) return;
    this.#slowest = Math.max(now - sentAt, this.#slowest * forgetting);
    this.#shift();
  }

  /** A request sent at `sentAt` ended without a response. */
  onNoResponse(sentAt: number, now: number): void {
    this.expire(now);
    // One that was sent too long ago was already removed from these.
    if (now - sentAt < longestOnTheWayMs) this.#sent.remove(0);
  }

  /** Drops requests that were sent too long ago to count. */
  expire(now: number): void {
    while (this.size > 0 && this.msUntilExpiry(now) <= 0) this.#shift();
  }

  /** Returns the ms until the oldest no longer counts. */
  msUntilExpiry(now: number): number {
    return (this.#sent.at(0) ?? now) + longestOnTheWayMs - now;
  }

  #shift(): void {
    this.#completed++;
    this.#sent.remove(0);
  }
}
