import type { Clock } from 'data-quality-client/local';
import { vi } from 'vitest';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** A clock that stands still until it is told to go on. */
export class FakeClock implements Clock {
  #now: number;
  readonly #sleepers = new Set<Sleeper>();

  constructor(start = Date.parse('2026-03-01T12:00:00Z')) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (ms <= 0 || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const sleeper = { until: this.#now + ms, wake: () => resolve() };
    const end = () => {
      this.#sleepers.delete(sleeper);
      resolve();
    };
    this.#sleepers.add(sleeper);
    signal.addEventListener('abort', end, { once: true });
    await promise;
    signal.removeEventListener('abort', end);
  }

  /** Lets time pass and wakes whoever slept for no longer. */
  advance(ms: number): void {
    this.#now += ms;
    for (const sleeper of this.#sleepers) {
      if (sleeper.until > this.#now) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }

  /** Resolves when those who sleep have exactly so many ms to go, the shortest first: nothing else is under way. */
  async until(waits: readonly number[]): Promise<void> {
    await vi.waitFor(
      () => {
        const left = [...this.#sleepers].map(({ until }) => until - this.#now).toSorted((a, b) => a - b);
        if (left.join() !== waits.join()) throw new Error(`${left.join()} ms to go, not ${waits.join()}`);
      },
      { timeout: 60_000, interval: 5 },
    );
  }
}
