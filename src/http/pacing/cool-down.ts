import type { Brake, PacedAnswer } from './brake.ts';
import type { InFlight } from './in-flight.ts';

/** How long the gate stays closed after a 429 that names no time, in ms: the shortest window of the interface. */
const defaultCoolDownMs = 1000;
/**
 * A longer `Retry-After` closes the gate for nobody but the call that met it, in ms: the longest window of the
 * interface is a minute, and the other calls must not wait silently for what looks like a quota.
 */
const longestCoolDownMs = 60_000;
/**
 * After so long without a call, in ms, what is known about how many may be on their way is out of date. Longer
 * than slow calls are waited for.
 */
const idleMs = 5000;

/**
 * Closes the gate for everybody after a 429 until its `Retry-After` is over, then opens it gradually: one call,
 * and half as many more again with each round of answers. `startWith` calls may be on their way at the
 * beginning, before anything is known.
 */
export class CoolDown implements Brake {
  readonly #inFlight: InFlight;
  readonly #startWith: number;
  /** How many calls may be on their way at once. */
  #room: number;
  #closedUntil = 0;
  #lastTake = 0;
  /** The number of completed calls that `#room` already reflects. */
  #reflected = 0;

  constructor(inFlight: InFlight, startWith: number) {
    this.#inFlight = inFlight;
    this.#startWith = startWith;
    this.#room = startWith;
  }

  get reason(): string {
    return 'the service answered 429';
  }

  delay(now: number, ahead?: number): number {
    if (now < this.#closedUntil) return this.#closedUntil - now;
    // How soon answers will come can't be foreseen, and it is seldom worth a word.
    if (ahead !== undefined) return 0;
    return this.room(now) > 0 ? 0 : this.#inFlight.untilLapse(now);
  }

  room(now: number): number {
    if (now < this.#closedUntil) return 0;
    this.#inFlight.lapse(now);
    const { size, completed } = this.#inFlight;
    const fresh = completed - this.#reflected;
    this.#reflected = completed;
    // Room that was not used says nothing about how much there is.
    if (size + fresh >= this.#room) this.#room += fresh / 2;
    return Math.max(0, Math.ceil(this.#room - size));
  }

  take(now: number): void {
    if (now - this.#lastTake > idleMs) this.#room = Math.min(this.#room, this.#startWith);
    this.#lastTake = now;
  }

  observe({ status, retryAfterMs = defaultCoolDownMs }: PacedAnswer, now: number): void {
    if (status === 429 && retryAfterMs <= longestCoolDownMs) {
      this.#closedUntil = Math.max(this.#closedUntil, now + retryAfterMs);
      this.#room = 1;
    }
    // What was sent before the gate closed must not open it.
    if (now < this.#closedUntil) this.#reflected = this.#inFlight.completed;
  }
}
