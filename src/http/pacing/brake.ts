import type { RateLimit } from '../../errors.ts';

/** What an answer says about the rate limit. */
export interface PacedAnswer {
  readonly status: number;
  /** What its `X-RateLimit-*` headers announce. */
  readonly rateLimit: RateLimit | undefined;
  /** What its `Retry-After` asks for, in ms. */
  readonly retryAfterMs: number | undefined;
}

/** One reason for which calls wait. Times are those of `performance.now()`, in ms. */
export interface Brake {
  /** Why calls wait, for people. */
  readonly reason: string;
  /**
   * Ms until the next call may be sent: 0 at once, `Infinity` not before something else happens. With `ahead`,
   * as far as can be foreseen, for the call that has as many before it.
   */
  delay(now: number, ahead?: number): number;
  /** A call is sent. */
  take(now: number): void;
  /** An answer came. */
  observe(answer: PacedAnswer, now: number): void;
  /** A call that may have arrived ended without an answer. */
  lose?(): void;
}
