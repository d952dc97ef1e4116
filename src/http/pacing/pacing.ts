/**
 * Pacing delays requests so that the service does not have to refuse them.
 *
 * ```
 * acquire ──► PacingQueue ──► may the next one go? each limiter in turn, the first that blocks decides ──► send
 *   onResponse / onNoResponse ──► every limiter learns, then the queue looks again
 *
 * option             limiters, in the order in which they are asked
 * 'auto'             SlowStart(10) → HeaderQuota → AdaptiveBurst
 *   with a store     … the same    → Recall, which lets the first request wait
 * limits or a tier   SlowStart(∞)  → SlidingWindow(second) → SlidingWindow(minute)
 *   with a store     … the same    → Distributed, last: a permit of the store that another limiter delays is lost
 * false              none (Unpaced)
 * ```
 *
 * - SlowStart: how many are on their way at once; after a 429 nobody sends until its `Retry-After` is over. What a
 *   429 itself says comes before what its headers announce.
 * - HeaderQuota: what `X-RateLimit-Remaining` leaves until `X-RateLimit-Reset`. Services announce one window only.
 * - AdaptiveBurst: the other window, usually the second: that of the tier whose minute is announced, or what 429s show.
 * - SlidingWindow: limits that are known, kept in any window wherever the service's own begin.
 * - Distributed: the same together with other processes.
 * - Recall: nothing before the store has said what the last process learned of the second.
 *
 * A limiter only ever adds a reason to wait. `advance` brings it up to date; `blockedMs` and `estimate` are
 * questions without effects. Responses are matched to requests by number alone: n responses prove that n arrived.
 *
 * | constant | why | test |
 * |---|---|---|
 * | 10 requests before anything is known | the lowest burst but the trials' | starts open |
 * | careful until 50, 0.15 a response, then 1 | what is on its way at the limit is refused | 300 calls at once; is not slower |
 * | 3 at once for 1 s after a pause | the limit may have been counted over two windows | the last 15 ms of a window |
 * | pause 1 s, doubled with each refusal in a row up to 10 s | shortest window; the full one may be the minute | counts a second and a minute |
 * | pause ≤ 60 s | longest window | Retry-After longer than any window |
 * | idle 5 s | longer than slow calls | learns nothing from a 429 before anything |
 * | arrival ≤ 500 ms | a first connection | as sent and as they arrive |
 * | on the way ≤ 2 s | slower ones are slow, not on their way | does not delay slow calls |
 * | short window if resets stay ≤ 2 s for 1 s | whole seconds round up | windows that round their reset |
 * | one window if resets differ ≤ 999 ms | seconds to go round | windows that give the seconds left |
 * | Retry-After and reset agree within 1 s | both are rounded | counts a second and a minute |
 * | accepted counted over 800 ms | two bursts are not one | windows that announce nothing |
 * | one window's limit is < 10 × the accepted; 10 after a first reset, then 1 or all | a minute's is more; sliding windows refill gradually | counts a second and a minute |
 * | a tier's minute is reset > 2 s from now | a second's reset, rounded up, is not | is not taken for a tier |
 * | trust 30 s, growth ¼; second 429 within it confirms | one may be a stray | one stray 429 |
 * | store: 1 s to respond, again after 5 s, waits ≤ 60.5 s | nobody waits longer than without it | limits shared through a store |
 * | learned: kept 1 h, ¼ more each 10 s until a 429 | a tier may have changed | begins with what the last process learned |
 * | reported again if 1 s longer; timers ≤ 60 s | worth reporting; timers overflow | reports again |
 */
import type { RateLimit } from '../../errors/rate-limit.ts';
import type { LimitSignals } from './rate-limiter.ts';

/** A wait for the rate limit that begins. */
export interface Throttle {
  /** How long the request is expected to wait, in ms. */
  readonly ms: number;
  /** Why it waits, for people. */
  readonly reason: string;
}

/** Sends requests when the rate limit allows it. One serves every client with the same key. */
export interface Pacing {
  /**
   * Resolves when the request may be sent; `undefined` if it may be sent at once. Rejects with the signal's
   * reason as soon as it aborts. Calls `onThrottle` if the request waits, and again if the wait becomes longer.
   */
  acquire(
    signal: AbortSignal | undefined,
    onThrottle: (throttle: Throttle) => void,
  ): Promise<void> | undefined;
  /** Must be called with every response. */
  onResponse(signals: LimitSignals): void;
  /**
   * Must be called for every request that ends without a response: when it was acquired, as a time of
   * `performance.now()`, and whether the service may have counted it.
   */
  onNoResponse(sentAt: number, mayHaveArrived: boolean): void;
  /** The limit announced last. */
  readonly rateLimit: RateLimit | undefined;
}
