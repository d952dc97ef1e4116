import type { RateLimit } from '../../errors.ts';
import type { Brake, PacedAnswer } from './brake.ts';
import type { InFlight } from './in-flight.ts';
import type { Pacing, PacingWait } from './pacing.ts';

/** A queue that is stuck looks again after this time at the latest, in ms; a timer can't be set for ever. */
const longestTimerMs = 60_000;
/** A wait is told again when it has become longer than was told by this, in ms. */
const noteworthyMs = 1000;

interface Waiter {
  readonly resolve: () => void;
  readonly onWait: (wait: PacingWait) => void;
  /** The end of the wait as it was told. */
  toldUntil: number;
}

/** Lets calls go one after the other, in the order in which they came, as soon as no brake holds them. */
export class PacingQueue implements Pacing {
  readonly #inFlight: InFlight;
  readonly #brakes: readonly Brake[];
  /** A set keeps the order of arrival, and lets go of an aborted call without a search. */
  readonly #waiters = new Set<Waiter>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #rateLimit: RateLimit | undefined;

  constructor(inFlight: InFlight, brakes: readonly Brake[]) {
    this.#inFlight = inFlight;
    this.#brakes = brakes;
  }

  get rateLimit(): RateLimit | undefined {
    return this.#rateLimit;
  }

  admit(signal: AbortSignal | undefined, onWait: (wait: PacingWait) => void): Promise<void> | undefined {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const now = performance.now();
    if (this.#waiters.size === 0 && this.#delay(now) <= 0) {
      this.#take(now);
      return undefined;
    }
    return this.#enqueue(signal, onWait, now);
  }

  observe(answer: PacedAnswer): void {
    const now = performance.now();
    if (answer.rateLimit !== undefined) this.#rateLimit = answer.rateLimit;
    this.#inFlight.complete(now);
    for (const brake of this.#brakes) brake.observe(answer, now);
    if (this.#waiters.size === 0) return;
    this.#advance(now);
    if (answer.status === 429) this.#tellAll(now);
  }

  lose(sentAt: number, mayHaveArrived: boolean): void {
    this.#inFlight.lose(sentAt, performance.now());
    if (mayHaveArrived) for (const brake of this.#brakes) brake.lose?.();
    this.advance();
  }

  /** How many calls wait. */
  get waiting(): number {
    return this.#waiters.size;
  }

  /** Lets go whoever may go now. */
  advance(): void {
    if (this.#waiters.size > 0) this.#advance(performance.now());
  }

  async #enqueue(
    signal: AbortSignal | undefined,
    onWait: (wait: PacingWait) => void,
    now: number,
  ): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { resolve, onWait, toldUntil: now };
    const leave = (): void => {
      this.#waiters.delete(waiter);
      this.#advance(performance.now());
      reject(signal?.reason);
    };
    this.#waiters.add(waiter);
    this.#tell(waiter, this.#waiters.size - 1, now, 0);
    signal?.addEventListener('abort', leave, { once: true });
    this.#advance(now);
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  /** Lets go whoever may go, and comes back when the next one may. */
  #advance(now: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const waiter of this.#waiters) {
      const delay = this.#delay(now);
      if (delay > 0) {
        this.#timer = setTimeout(
          () => this.#advance(performance.now()),
          Math.min(Math.ceil(delay), longestTimerMs),
        );
        return;
      }
      this.#waiters.delete(waiter);
      this.#take(now);
      waiter.resolve();
    }
  }

  /** Ms until it is worth looking again: the first brake that holds is asked no further than that. */
  #delay(now: number): number {
    for (const brake of this.#brakes) {
      const delay = brake.delay(now);
      if (delay > 0) return delay;
    }
    return 0;
  }

  #take(now: number): void {
    this.#inFlight.add(now);
    for (const brake of this.#brakes) brake.take(now);
  }

  #tellAll(now: number): void {
    let ahead = 0;
    for (const waiter of this.#waiters) this.#tell(waiter, ahead++, now, noteworthyMs);
  }

  #tell(waiter: Waiter, ahead: number, now: number, tolerance: number): void {
    let wait: PacingWait = { ms: 0, reason: '' };
    for (const brake of this.#brakes) {
      const ms = brake.delay(now, ahead);
      if (ms > wait.ms) wait = { ms, reason: brake.reason };
    }
    if (wait.ms === 0 || now + wait.ms <= waiter.toldUntil + tolerance) return;
    waiter.toldUntil = now + wait.ms;
    waiter.onWait({ ms: Math.ceil(wait.ms), reason: wait.reason });
  }
}
