import type { Brake } from './brake.ts';
import type { InFlight } from './in-flight.ts';
import type { Permits, RateLimitStore, RequestLimits } from './rate-limit-store.ts';

/** A store that has not answered after this time is away, in ms; calls don't wait longer for it. */
const answerMs = 1000;
/** How often a store that is away is tried again, in ms. */
const retryMs = 5000;

/** What the brake needs of the queue it belongs to. */
export interface PermitQueue {
  /** How many calls wait. */
  readonly waiting: number;
  /** Lets go whoever may go now. */
  advance(): void;
}

/** What a process itself has room for. */
export interface Room {
  /** How many calls may be sent at once. */
  room(now: number): number;
}

/** A limit and the place where it is kept. */
export interface StoredLimit {
  readonly store: RateLimitStore;
  /** What the store knows the API key by. */
  readonly key: string;
  readonly limits: RequestLimits;
  readonly inFlight: InFlight;
}

/**
 * Keeps to limits that are shared with other processes, through a store. While the store is away it holds nobody
 * back: the process then keeps to the limits by itself.
 */
export class SharedLimit implements Brake {
  readonly reason = 'the limit is shared with other processes';
  readonly #store: RateLimitStore;
  readonly #key: string;
  readonly #limits: RequestLimits;
  readonly #inFlight: InFlight;
  readonly #own: readonly Room[];
  readonly #warn: (message: string) => void;
  #queue: PermitQueue | undefined;
  #permits = 0;
  #isAsking = false;
  #isAway = false;
  /** When asking makes sense again. */
  #askAt = 0;

  constructor(
    { store, key, limits, inFlight }: StoredLimit,
    own: readonly Room[],
    warn: (message: string) => void,
  ) {
    this.#store = store;
    this.#key = key;
    this.#limits = limits;
    this.#inFlight = inFlight;
    this.#own = own;
    this.#warn = warn;
  }

  /** Whom to tell when permits have come. */
  serve(queue: PermitQueue): void {
    this.#queue = queue;
  }

  delay(now: number, ahead?: number): number {
    if (ahead !== undefined) return this.#isAway ? 0 : Math.max(0, this.#askAt - now);
    if (this.#permits > 0) return 0;
    const isTime = now >= this.#askAt;
    if (isTime && !this.#isAsking) void this.#ask();
    if (this.#isAway) return 0;
    return isTime || this.#isAsking ? Infinity : this.#askAt - now;
  }

  take(): void {
    if (this.#permits > 0) this.#permits--;
  }

  observe(): void {
    // The store counts what it granted, whatever became of it.
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    // Nobody waits for a store that is away, so nothing must keep the process alive for it either.
    const timer = this.#isAway
      ? undefined
      : setTimeout(() => this.#lose(`no answer within ${answerMs} ms`), answerMs);
    const count = this.#wanted(performance.now());
    try {
      const { arrivalMs } = this.#inFlight;
      const request = { key: this.#key, limits: this.#limits, count, arrivalMs };
      this.#receive(await this.#store.take(request), count);
    } catch (error) {
      this.#lose(error instanceof Error ? error.message : String(error));
    } finally {
      clearTimeout(timer);
      this.#isAsking = false;
    }
    this.#queue?.advance();
    // A permit is for now: later it would let a call into a window that others have filled.
    this.#permits = 0;
  }

  /** As many as wait and this process itself has room for: a permit that is not used at once is lost to all. */
  #wanted(now: number): number {
    const room = Math.min(...this.#own.map((brake) => brake.room(now)));
    return Math.max(1, Math.min(this.#queue?.waiting ?? 1, room));
  }

  #receive({ granted, waitMs }: Permits, count: number): void {
    if (!(granted >= 0 && waitMs >= 0)) throw new Error('an answer that is none');
    if (this.#isAway) this.#warn('the rate limit is shared with other processes again');
    this.#isAway = false;
    this.#permits = granted;
    this.#askAt = granted < count ? performance.now() + Math.max(1, waitMs) : 0;
  }

  #lose(reason: string): void {
    this.#askAt = performance.now() + retryMs;
    if (this.#isAway) return;
    this.#isAway = true;
    this.#warn(
      `the store of the rate limit can't be reached (${reason}); this process keeps to the limits by itself until it is back`,
    );
    this.#queue?.advance();
  }
}
