import type { RateLimit } from '../../errors/rate-limit.ts';
import type { InFlight } from './in-flight.ts';
import type { LimitSignals, RateLimiter } from './rate-limiter.ts';

/** The windows of the service, in ms. A reset further away than the long one is not waited for. */
const shortWindowMs = 1000;
const longWindowMs = 60_000;
/** A reset of the short window, written in whole seconds, is never further away than this, in ms. */
const longestShortLeadMs = 2000;
/** How long all resets must have been that near before the window is taken for the short one, in ms. */
const proofMs = 1000;
/** A reset written in whole seconds to go differs by less than this between two responses of one window, in ms. */
const resetToleranceMs = 999;
/** A `Retry-After` and a reset mean the same time if they differ by no more than this, in ms: both may be rounded. */
const agreementMs = 1000;
/** How many may go after the first reset: whether it brings back the whole limit is not known yet. */
const carefulFirst = 10;

/** Sends no more requests than the headers say are left until the window ends, those on their way included. */
export class HeaderQuotaLimiter implements RateLimiter {
  readonly #inFlight: InFlight;
  #limit = Infinity;
  #remaining = Infinity;
  #resetAt = Infinity;
  /** When the last window ended. */
  #endedAt = -Infinity;
  #firstSeenAt: number | undefined;
  /** Whether a reset was too far away for the short window. */
  #isLong = false;
  /**
   * How many were sent since the last window ended; infinite before the first, and once it is not needed
   * anymore.
   */
  #sent = Infinity;
  /**
   * How many may go after a reset before a response says what is left: all if the last reset brought back the whole
   * limit, one if it brought less, as with windows that slide and with buckets.
   */
  #firstAfterReset = carefulFirst;

  constructor(inFlight: InFlight) {
    this.#inFlight = inFlight;
  }

  get reason(): string {
    return `the service announced a limit of ${this.#limit} requests, and none is left`;
  }

  advance(now: number): void {
    if (this.#resetAt > now) return;
    this.#remaining = Math.min(this.#limit, this.#firstAfterReset);
    this.#endedAt = this.#resetAt;
    this.#resetAt = Infinity;
    this.#sent = this.#inFlight.size;
  }

  blockedMs(now: number): number {
    if (!this.#isFull(0)) return 0;
    const untilReset = this.#resetAt - now;
    return this.#inFlight.size === 0 ? untilReset : Math.min(untilReset, this.#inFlight.msUntilExpiry(now));
  }

  estimate(now: number, position: number): number {
    if (!this.#isFull(position)) return 0;
    const untilReset = this.#resetAt - now;
    return Number.isFinite(untilReset) ? untilReset : 0;
  }

  onSend(): void {
    // It counts as in flight until its response says what remains.
    this.#sent++;
  }

  onResponse({ status, rateLimit, retryAfterMs }: LimitSignals, now: number): void {
    if (rateLimit === undefined) return;
    const untilReset = this.#untilReset(rateLimit, now);
    // A service that counts a second and a minute may announce the one and refuse because of the other.
    const isContradicted =
      status === 429 && retryAfterMs !== undefined && Math.abs(untilReset - retryAfterMs) > agreementMs;
    if (isContradicted && rateLimit.remaining === 0) return;
    const resetAt = now + untilReset;
    this.#limit = Math.max(1, rateLimit.limit);
    if (this.#resetAt === Infinity && resetAt > this.#endedAt && this.#sent !== Infinity) {
      this.#firstAfterReset = rateLimit.remaining + this.#sent < rateLimit.limit ? 1 : Infinity;
      // Only the first response after a reset shows it; for the others more may have come back meanwhile.
      this.#sent = Infinity;
    }
    if (resetAt <= now) {
      this.#onPastReset(rateLimit.remaining, resetAt);
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

  /** A response whose reset came before it: of a window that slides, where each request has its own, or overtaken. */
  #onPastReset(remaining: number, resetAt: number): void {
    const slides = this.#firstAfterReset === 1;
    if (slides && this.#resetAt === Infinity && resetAt >= this.#endedAt) {
      // The reset has brought back one at least.
      const left = Math.max(remaining, 1);
      this.#remaining = resetAt > this.#endedAt ? left : Math.min(this.#remaining, left);
      this.#endedAt = resetAt;
      return;
    }
    // It describes a window that is over, which is something if nothing is known.
    this.#remaining = Math.min(this.#remaining, this.#limit);
  }

  onNoResponse(_sentAt: number, mayHaveArrived: boolean): void {
    if (mayHaveArrived) this.#remaining = Math.max(0, this.#remaining - 1);
  }

  /** Any of those on their way may or may not be counted in what remains. */
  #isFull(position: number): boolean {
    return this.#remaining !== Infinity && this.#inFlight.size + position >= this.#remaining;
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
