import type { Brake, PacedAnswer } from './brake.ts';
import { Moments } from './moments.ts';
import { SlidingWindow } from './sliding-window.ts';

/** The interface counts bursts by the second (interface: Rate limits). */
const burstMs = 1000;
/** A longer `Retry-After` belongs to a longer window than that of a burst, in ms. */
const longestBurstRetryMs = 2000;
/** Time without a 429 after which more is tried, in ms. */
const trustMs = 30_000;
const growth = 1.25;

/**
 * Answers are counted over a little less than a second, in ms, so that the end of one burst is not taken for the
 * beginning of the next.
 */
const countedMs = 800;

/**
 * Learns from a 429 how many calls a second the service takes, which no header announces: as many as it took in
 * the second before. Tries a quarter more after half a minute without a 429.
 */
export class LearnedBurst implements Brake {
  readonly reason = 'the service takes no more requests a second';
  #window: SlidingWindow | undefined;
  #changedAt = 0;
  /** When the latest answers other than 429 came. */
  readonly #accepted = new Moments();
  #lastRefusal = -Infinity;

  delay(now: number, ahead?: number): number {
    if (this.#window === undefined) return 0;
    if (now - this.#changedAt >= trustMs) {
      this.#changedAt = now;
      this.#window.limit = Math.ceil(this.#window.limit * growth);
    }
    return this.#window.delay(now, ahead);
  }

  take(now: number): void {
    this.#window?.take(now);
  }

  observe(answer: PacedAnswer, now: number): void {
    this.#window?.observe(answer, now);
    this.#accepted.forgetUntil(now - countedMs);
    if (answer.status === 429) this.#refused(answer, now);
    else this.#accepted.add(now);
  }

  #refused({ retryAfterMs = 0 }: PacedAnswer, now: number): void {
    // Those sent together with the first that was refused say the same again.
    const again = now - this.#lastRefusal < burstMs;
    this.#lastRefusal = now;
    // Refused before anything was taken, it says nothing of how much is.
    if (again || retryAfterMs > longestBurstRetryMs || this.#accepted.size === 0) return;
    const limit = Math.max(1, Math.min(this.#accepted.size, (this.#window?.limit ?? Infinity) - 1));
    this.#window = new SlidingWindow(limit, burstMs, this.reason);
    this.#changedAt = now;
  }
}
