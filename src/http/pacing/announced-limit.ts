import type { RateLimit } from '../../errors.ts';
import type { Brake, PacedAnswer } from './brake.ts';
import type { InFlight } from './in-flight.ts';

/** The windows of the interface, in ms. A reset further away than the long one is not waited for. */
const shortWindowMs = 1000;
const longWindowMs = 60_000;
/** A reset of the short window, written in whole seconds, is never further away than this, in ms. */
const longestShortLeadMs = 2000;
/** How long all resets must have been that near before the window is taken for the short one, in ms. */
const proofMs = 1000;
/** A reset written in whole seconds to go differs by less than this between two answers of one window, in ms. */
const resetToleranceMs = 999;

/** Sends no more calls than the headers say are left until the window ends, those on their way included. */
export class AnnouncedLimit implements Brake {
  readonly #inFlight: InFlight;
  #limit = Infinity;
  #remaining = Infinity;
  #resetAt = Infinity;
  #firstSeenAt: number | undefined;
  /** Whether a reset was too far away for the short window. */
  #isLong = false;

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
    const resetAt = now + this.#untilReset(rateLimit, now);
    this.#limit = Math.max(1, rateLimit.limit);
    if (resetAt <= now) {
      // An answer that was overtaken tells of a window that is over, which is something where nothing is known.
      this.#remaining = Math.min(this.#remaining, this.#limit);
      return;
    }
    const sameWindow = Math.abs(resetAt - this.#resetAt) <= resetToleranceMs;
    if (sameWindow) {
      this.#remaining = Math.min(this.#remaining, rateLimit.remaining);
      this.#resetAt = Math.max(this.#resetAt, resetAt);
    } else if (this.#resetAt === Infinity || resetAt > this.#resetAt) {
      this.#remaining = rateLimit.remaining;
      this.#resetAt = resetAt;
    }
  }

  lose(): void {
    this.#remaining = Math.max(0, this.#remaining - 1);
  }

  #untilReset({ resetAt }: RateLimit, now: number): number {
    const announced = resetAt.getTime() - Date.now();
    this.#firstSeenAt ??= now;
    this.#isLong ||= announced > longestShortLeadMs;
    // Rounded to seconds, the reset of a short window would cost up to a second more than the window lasts.
    const isShort = !this.#isLong && now - this.#firstSeenAt > proofMs;
    return Math.min(announced, isShort ? shortWindowMs : longWindowMs);
  }
}
