import type { Dedupe } from './dedupe.ts';
import { assertPositiveIntegers } from './positive-integers.ts';

/**
 * A store for one process: bounded, the oldest alert forgotten first, and gone with the process.
 *
 * @param options.maxEntries how many alerts are remembered; default 10,000.
 * @throws {ConfigurationError} unless it is a positive integer.
 */
export function createMemoryDedupe({ maxEntries = 10_000 }: { readonly maxEntries?: number } = {}): Dedupe {
  assertPositiveIntegers({ maxEntries });
  const expiries = new Map<string, number>();

  function forget(now: number): void {
    for (const [id, expiry] of expiries) {
      if (expiry > now && expiries.size < maxEntries) return;
      expiries.delete(id);
    }
  }

  return {
    async claim(id, ttlMs) {
      const now = Date.now();
      if ((expiries.get(id) ?? 0) > now) return false;
      // Deleted first, so that a renewed claim counts as young.
      expiries.delete(id);
      forget(now);
      expiries.set(id, now + ttlMs);
      return true;
    },
    async release(id) {
      expiries.delete(id);
    },
  };
}
