import { longestTimer } from '../contract/vocabulary.ts';
import type { Dedupe } from './dedupe.ts';

/** Waits for a task, but no longer than so many ms: then rejects with a {@link TimeLimitError}. */
export async function withinTime<Value>(task: Promise<Value>, ms: number, name: string): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new TimeLimitError(`${name} took longer than ${ms} ms`)),
      Math.min(ms, longestTimer),
    );
    task.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** What {@link withinTime} rejects with; unlike any other error, it says nothing about how the task will end. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError' as const;
}

/** A store each of whose calls fails after so many ms. One that hangs would make its alert undeliverable for ever. */
export function timeLimited(store: Dedupe, ms: number): Dedupe {
  return {
    claim: async (id, ttlMs) => withinTime(store.claim(id, ttlMs), ms, 'the dedupe store'),
    release: async (id) => withinTime(store.release(id), ms, 'the dedupe store'),
  };
}
