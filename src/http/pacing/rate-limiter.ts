import type { RateLimit } from '../../errors/rate-limit.ts';

/** What a response reveals about the rate limit. */
export interface LimitSignals {
  readonly status: number;
  /** What its `X-RateLimit-*` headers announce. */
  readonly rateLimit: RateLimit | undefined;
  /** What its `Retry-After` asks for, in ms. */
  readonly retryAfterMs: number | undefined;
}

/**
 * One reason for which requests wait. Times are those of `performance.now()`, in ms.
 *
 * `blockedMs` and `estimate` change nothing; they are right for the time of the latest `advance`. A test
 * checks that.
 */
export interface RateLimiter {
  /** Why requests wait, for people. */
  readonly reason: string;
  /** Brings the state up to `now`: windows that have ended, requests that must have arrived. */
  advance(now: number): void;
  /** Gets what it needs from elsewhere. Called when no limiter before it blocks the first of `waiting` requests. */
  prepare?(now: number, waiting: number): void;
  /** Returns the ms until the next request may be sent; `Infinity` until another event unblocks it. */
  blockedMs(now: number): number;
  /** Returns how long the request at `position` in the queue, from 0, is expected to wait, in ms. */
  estimate(now: number, position: number): number;
  /** A request is sent. */
  onSend(now: number): void;
  /** A response came. */
  onResponse(signals: LimitSignals, now: number): void;
  /** A request sent at `sentAt` ended without a response; the service may have counted it. */
  onNoResponse(sentAt: number, mayHaveArrived: boolean, now: number): void;
}
