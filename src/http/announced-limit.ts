import type { Brake, PacedAnswer } from './brake.ts';
import type { InFlight } from './in-flight.ts';

/** The longest a reset is waited for, in ms: the longest window of the interface; then the service may answer itself. */
const longestWindowMs = 60_000;
/** A reset written in whole seconds to go differs by less than this between two answers of one window, in ms. */
const resetToleranceMs = 999;

/** Sends no more calls than the headers say are left until the window ends, those on their way included. */
export class AnnouncedLimit implements Brake {
  readonly #inFlight: InFlight;
  #limit = Infinity;
  #remaining = Infinity;
  #resetAt = Infinity;

  constructor(inFlight: InFlight) {
    this.#inFlight = inFlight;
  }

  get reason(): string {
    return `the service announced a limit of ${this.#limit} requests, and none is left`;
  }

  delay(now: number, ahead?: number): number {
    if (this.#resetAt <= now) {
      this.#remaining = this.#limit;
      this.#resetAt = Infinity;
    }
    if (this.#remaining === Infinity) return 0;
    // Any of those on their way may or may not be counted in what remains.
    this.#inFlight.lapse(now);
    if (this.#inFlight.size + (ahead ?? 0) < this.#remaining) return 0;
    const untilReset = this.#resetAt - now;
    if (ahead !== undefined) return Number.isFinite(untilReset) ? untilReset : 0;
    return this.#inFlight.size === 0 ? untilReset : Math.min(untilReset, this.#inFlight.untilLapse(now));
  }

  take(): void {
    // Counted as in flight until its answer says what remains.
  }

  observe({ rateLimit }: PacedAnswer, now: number): void {
    if (rateLimit === undefined) return;
    const resetAt = now + Math.min(rateLimit.resetAt.getTime() - Date.now(), longestWindowMs);
    // An answer that was overtaken tells of a window that is over.
    if (resetAt <= now) return;
    this.#limit = Math.max(1, rateLimit.limit);
    const sameWindow = Math.abs(resetAt - this.#resetAt) <= resetToleranceMs;
    if (sameWindow) {
      this.#remaining = Math.min(this.#remaining, rateLimit.remaining);
      this.#resetAt = Math.max(this.#resetAt, resetAt);
    } else if (this.#resetAt === Infinity || resetAt > this.#resetAt) {
      this.#remaining = rateLimit.remaining;
      this.#resetAt = resetAt;
    }
  }
}
