import type { RateLimit } from '../../errors/rate-limit.ts';
import { announcedTier } from './announced-tier.ts';
import type { InFlight } from './in-flight.ts';
import type { LimitSignals, RateLimiter } from './rate-limiter.ts';
import { SlidingWindowLimiter } from './sliding-window-limiter.ts';
import { TimestampQueue } from './timestamp-queue.ts';

/** The service counts bursts by the second, in ms. */
const burstMs = 1000;
/** A longer `Retry-After` or reset belongs to a longer window than that of a burst, in ms. */
const longestBurstRetryMs = 2000;
/** Time without a 429 after which more is tried, in ms. A 429 alone within this time may be a stray one. */
const trustMs = 30_000;
const growth = 1.25;
/** The same for a limit that another process learned, until a 429 confirms it, in ms: it may be too low by now. */
const recalledTrustMs = 10_000;
/**
 * Responses are counted over a little less than a second, in ms, so that the end of one burst is not taken for the
 * beginning of the next.
 */
const countedMs = 800;
/** An announced limit that is so many times what was accepted is not that of the burst: in every tier the minute's is. */
const plausibleFactor = 10;

/**
 * Learns how many requests a second the service accepts, if its headers describe the minute or nothing. If the minute
 * is that of a tier, the second is too. Else from 429s: as many as were accepted in the second before. Two refusals set
 * the pace, one may be a stray. Tries a quarter more after half a minute without a 429.
 */
export class AdaptiveBurstLimiter implements RateLimiter {
  readonly reason = 'the service accepts no more requests a second';
  readonly #inFlight: InFlight;
  readonly #onTier: (perSecond: number) => void;
  #window: SlidingWindowLimiter | undefined;
  /** How many were on their way when a tier was announced: their refusal says nothing of it. */
  #unpaced = 0;
  #changedAt = 0;
  #trustMs: number = trustMs;
  #learned: number | undefined;
  /** When the latest responses other than 429 came. */
  readonly #accepted = new TimestampQueue();
  #lastRefusal = -Infinity;
  /** What the last burst that was refused had accepted before, until another refusal confirms it. */
  #suspected: number | undefined;
  #suspectedAt = -Infinity;

  /** `onTier` is called when a tier is announced and nothing was refused before. */
  constructor(inFlight: InFlight, onTier: (perSecond: number) => void) {
    this.#inFlight = inFlight;
    this.#onTier = onTier;
  }

  /** How many requests a second 429s have shown to be accepted; `undefined` before they have. */
  get learned(): number | undefined {
    return this.#learned;
  }

  /** Begins with what another process learned. */
  adopt(perSecond: number, now: number): void {
    this.#window = new SlidingWindowLimiter(perSecond, burstMs, this.reason);
    this.#changedAt = now;
    this.#trustMs = recalledTrustMs;
  }

  advance(now: number): void {
    if (this.#window === undefined) return;
    this.#window.advance(now);
    if (now - this.#changedAt < this.#trustMs) return;
    this.#changedAt = now;
    this.#window.limit = Math.ceil(this.#window.limit * growth);
  }

  blockedMs(now: number): number {
    return this.#window?.blockedMs(now) ?? 0;
  }

  estimate(now: number, position: number): number {
    return this.#window?.estimate(now, position) ?? 0;
  }

  onSend(now: number): void {
    this.#window?.onSend(now);
  }

  onResponse(signals: LimitSignals, now: number): void {
    this.#window?.onResponse(signals, now);
    this.#accepted.forgetUntil(now - countedMs);
    const wasPaced = this.#unpaced === 0;
    if (!wasPaced) this.#unpaced--;
    if (signals.status === 429) {
      if (wasPaced) this.#onRefusal(signals, now);
      return;
    }
    this.#accepted.add(now);
    if (this.#window === undefined) this.#onAnnouncement(signals, now);
  }

  #onAnnouncement(signals: LimitSignals, now: number): void {
    const tier = announcedTier(signals.rateLimit);
    if (tier === undefined) return;
    const window = new SlidingWindowLimiter(tier.perSecond, burstMs, this.reason);
    // What was sent before counts as sent now.
    for (let sent = this.#accepted.size + this.#inFlight.size; sent > 0; sent--) window.onSend(now);
    for (let arrived = this.#accepted.size; arrived > 0; arrived--) window.onResponse(signals, now);
    this.#window = window;
    this.#unpaced = this.#inFlight.size;
    // It is no guess that could be too low.
    this.#trustMs = Infinity;
    if (this.#lastRefusal === -Infinity) this.#onTier(tier.perSecond);
  }

  onNoResponse(sentAt: number, mayHaveArrived: boolean, now: number): void {
    this.#window?.onNoResponse(sentAt, mayHaveArrived, now);
  }

  #onRefusal({ rateLimit, retryAfterMs = 0 }: LimitSignals, now: number): void {
    // While nothing may be sent, nothing is learned.
    this.#changedAt = Math.max(this.#changedAt, now + retryAfterMs);
    // Those sent together with the first that was refused confirm it, but count nothing new.
    const isEcho = now - this.#lastRefusal < burstMs;
    this.#lastRefusal = now;
    if (retryAfterMs > longestBurstRetryMs) return;
    let isConfirmed = isEcho;
    if (!isEcho) {
      // Refused before anything was accepted, it says nothing of how much is.
      if (this.#accepted.size === 0) return;
      isConfirmed = now - this.#suspectedAt < trustMs;
      this.#suspected = Math.min(this.#accepted.size, (this.#window?.limit ?? Infinity) - 1);
      if (this.#isBurst(rateLimit)) this.#suspected = rateLimit.limit;
      this.#suspectedAt = now;
    }
    if (!isConfirmed || this.#suspected === undefined) return;
    this.#learned = Math.max(1, this.#suspected);
    this.#window = new SlidingWindowLimiter(this.#learned, burstMs, this.reason);
    this.#changedAt = now;
    this.#trustMs = trustMs;
    this.#suspected = undefined;
  }

  /** Whether a limit that is used up, as announced, can be that of the burst: the count may have missed a part. */
  #isBurst(announced: RateLimit | undefined): announced is RateLimit {
    return (
      announced?.remaining === 0 &&
      announced.resetAt.getTime() - Date.now() <= longestBurstRetryMs &&
      announced.limit < plausibleFactor * this.#accepted.size
    );
  }
}
