import type { RateLimit } from '../../errors/rate-limit.ts';
import type { InFlight } from './in-flight.ts';
import type { Pacing, Throttle } from './pacing.ts';
import type { LimitSignals, RateLimiter } from './rate-limiter.ts';

/** A queue that is stuck looks again after this time at the latest, in ms; a timer cannot be set for ever. */
const longestTimerMs = 60_000;
/** A wait is reported again when it has become longer than was reported by this, in ms. */
const noteworthyMs = 1000;

interface Waiter {
  readonly resolve: () => void;
  readonly onThrottle: (throttle: Throttle) => void;
  /** The end of the wait as it was reported. */
  reportedUntil: number;
}

/** Sends requests one after the other, in the order in which they came, as soon as no limiter blocks them. */
export class PacingQueue implements Pacing {
  readonly #inFlight: InFlight;
  readonly #limiters: readonly RateLimiter[];
  /** A set keeps the order of arrival, and removes an aborted request without a search. */
  readonly #waiters = new Set<Waiter>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #rateLimit: RateLimit | undefined;

  constructor(inFlight: InFlight, limiters: readonly RateLimiter[]) {
    this.#inFlight = inFlight;
    this.#limiters = limiters;
  }

  get rateLimit(): RateLimit | undefined {
    return this.#rateLimit;
  }

  acquire(
    signal: AbortSignal | undefined,
    onThrottle: (throttle: Throttle) => void,
  ): Promise<void> | undefined {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const now = performance.now();
    this.#advance(now);
    if (this.#waiters.size === 0 && this.#blockedMs(now) <= 0) {
      this.#send(now);
      return undefined;
    }
    return this.#enqueue(signal, onThrottle, now);
  }

  onResponse(signals: LimitSignals): void {
    const now = performance.now();
    if (signals.rateLimit !== undefined) this.#rateLimit = signals.rateLimit;
    this.#inFlight.onResponse(now);
    for (const limiter of this.#limiters) limiter.onResponse(signals, now);
    this.dispatch();
    if (signals.status === 429) this.#reportAll(now);
  }

  onNoResponse(sentAt: number, mayHaveArrived: boolean): void {
    const now = performance.now();
    this.#inFlight.onNoResponse(sentAt, now);
    for (const limiter of this.#limiters) limiter.onNoResponse(sentAt, mayHaveArrived, now);
    this.dispatch();
  }

  /** Sends every request that may go now and schedules a timer for the next. */
  dispatch(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiters.size === 0) return;
    const now = performance.now();
    this.#advance(now);
    for (const waiter of this.#waiters) {
      const blockedMs = this.#blockedMs(now);
      if (blockedMs > 0) {
        const ms = Math.min(Math.ceil(blockedMs), longestTimerMs);
        this.#timer = setTimeout(() => this.dispatch(), ms);
        return;
      }
      this.#waiters.delete(waiter);
      this.#send(now);
      waiter.resolve();
    }
  }

  async #enqueue(
    signal: AbortSignal | undefined,
    onThrottle: (throttle: Throttle) => void,
    now: number,
  ): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { resolve, onThrottle, reportedUntil: now };
    const leave = (): void => {
      this.#waiters.delete(waiter);
      this.dispatch();
      reject(signal?.reason);
    };
    this.#waiters.add(waiter);
    this.#report(waiter, this.#waiters.size - 1, now, 0);
    signal?.addEventListener('abort', leave, { once: true });
    this.dispatch();
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  #advance(now: number): void {
    this.#inFlight.expire(now);
    for (const limiter of this.#limiters) limiter.advance(now);
  }

  /** Returns the ms until it is worth looking again: no limiter after the first that blocks is asked. */
  #blockedMs(now: number): number {
    for (const limiter of this.#limiters) {
      limiter.prepare?.(now, this.#waiters.size);
      const blockedMs = limiter.blockedMs(now);
      if (blockedMs > 0) return blockedMs;
    }
    return 0;
  }

  #send(now: number): void {
    this.#inFlight.onSend(now);
    for (const limiter of this.#limiters) limiter.onSend(now);
  }

  #reportAll(now: number): void {
    let position = 0;
    for (const waiter of this.#waiters) this.#report(waiter, position++, now, noteworthyMs);
  }

  #report(waiter: Waiter, position: number, now: number, tolerance: number): void {
    let throttle: Throttle = { ms: 0, reason: '' };
    for (const limiter of this.#limiters) {
      const ms = limiter.estimate(now, position);
      if (ms > throttle.ms) throttle = { ms, reason: limiter.reason };
    }
    if (throttle.ms === 0 || now + throttle.ms <= waiter.reportedUntil + tolerance) return;
    waiter.reportedUntil = now + throttle.ms;
    waiter.onThrottle({ ms: Math.ceil(throttle.ms), reason: throttle.reason });
  }
}
