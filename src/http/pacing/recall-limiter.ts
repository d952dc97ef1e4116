import { tiers } from '../../contract/vocabulary.ts';
import type { LearnedLimit, RateLimitStore } from './rate-limit-store.ts';
import type { LimitSignals, RateLimiter } from './rate-limiter.ts';

/** A store that has not responded after this time is not waited for, in ms. */
const answerMs = 1000;
/** How long a store keeps what was learned, in ms: tiers change seldom, and a wrong value costs little. */
const keptMs = 3_600_000;
/** How often what has not changed is stored again, in ms, so that it outlives a process that runs for days. */
const renewalMs = 600_000;

const bursts = Object.values(tiers).map(({ perSecond }) => perSecond);
const [leastBurst, largestBurst] = [Math.min(...bursts), Math.max(...bursts)];

/** What remembers, who learned it, and who is told. */
export interface Recollection {
  readonly store: RateLimitStore;
  /** Returns what the store knows the API key by. */
  readonly key: () => string | Promise<string>;
  /** Returns how many requests a second this process has learned that the service accepts. */
  readonly learned: () => number | undefined;
  /** Takes what another process learned. */
  readonly adopt: (perSecond: number, now: number) => void;
}

/**
 * Lets the first request wait for what the last process learned of the limit, a second at most, and stores what this
 * one learns. A store that fails, or remembers what no tier allows, changes nothing: the limit is then learned again.
 */
export class RecallLimiter implements RateLimiter {
  readonly reason = 'the store is asked for the limit that the last process learned';
  readonly #recollection: Recollection;
  readonly #warn: (message: string) => void;
  #onRecall: () => void = () => {};
  #state: 'unasked' | 'asking' | 'done' = 'unasked';
  #stored: number | undefined;
  #storedAt = 0;
  #hasWarned = false;

  constructor(recollection: Recollection, warn: (message: string) => void) {
    this.#recollection = recollection;
    this.#warn = warn;
  }

  /** Sets whom to notify when requests may go. */
  notify(onRecall: () => void): void {
    this.#onRecall = onRecall;
  }

  advance(): void {
    // Time alone brings nothing.
  }

  prepare(): void {
    if (this.#state !== 'unasked') return;
    this.#state = 'asking';
    const timer = setTimeout(() => this.#finish(`no response within ${answerMs} ms`), answerMs);
    void this.#recall()
      .then(
        () => this.#finish(),
        (error: unknown) => this.#finish(error instanceof Error ? error.message : String(error)),
      )
      .finally(() => clearTimeout(timer));
  }

  blockedMs(): number {
    return this.#state === 'done' ? 0 : Infinity;
  }

  estimate(): number {
    return 0;
  }

  onSend(): void {
    // Nothing is counted.
  }

  onResponse(_signals: LimitSignals, now: number): void {
    // A bucket that was full accepts more in its first second than in any other.
    const perSecond = Math.min(this.#recollection.learned() ?? Number.NaN, largestBurst);
    if (!isPlausible(perSecond)) return;
    if (perSecond === this.#stored && now - this.#storedAt < renewalMs) return;
    this.#stored = perSecond;
    this.#storedAt = now;
    // Nobody waits for it: at worst the next process learns again.
    this.#remember({ perSecond }).catch((error: unknown) =>
      this.#report(error instanceof Error ? error.message : String(error)),
    );
  }

  onNoResponse(): void {
    // Nothing is counted.
  }

  async #recall(): Promise<void> {
    const { store, key, adopt } = this.#recollection;
    const recalled: unknown = await store.recall?.(await key());
    // One that comes too late must not change what was learned meanwhile, and anything can be in a store.
    if (this.#state !== 'asking' || typeof recalled !== 'object' || recalled === null) return;
    const { perSecond } = recalled as Partial<LearnedLimit>;
    if (isPlausible(perSecond)) adopt(perSecond, performance.now());
  }

  async #remember(learned: LearnedLimit): Promise<void> {
    const { store, key } = this.#recollection;
    await store.remember?.(await key(), learned, keptMs);
  }

  #finish(problem?: string): void {
    if (this.#state === 'done') return;
    this.#state = 'done';
    if (problem !== undefined) this.#report(problem);
    this.#onRecall();
  }

  #report(reason: string): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#warn(
      `the store of the rate limit cannot be used (${reason}); this process learns the limit by itself`,
    );
  }
}

/** Whether a tier can allow so many requests a second. */
function isPlausible(perSecond: unknown): perSecond is number {
  return (
    typeof perSecond === 'number' &&
    Number.isInteger(perSecond) &&
    perSecond >= leastBurst &&
    perSecond <= largestBurst
  );
}
