import { InvalidRequestError } from '../errors.ts';

/** How many calls of a bulk method are under way at once. */
export interface BulkOptions {
  /** Default 8. */
  readonly concurrency?: number | undefined;
}

/** How one call of a bulk method ended. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

/**
 * Runs `work` on every item, `concurrency` at a time, and yields the outcomes as they end. No more items are
 * taken than outcomes are wanted; when the consumer stops, what is under way is cancelled.
 */
export async function* settleMany<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  concurrency = 8,
  callerSignal?: AbortSignal,
): AsyncGenerator<{ readonly item: Item } & Outcome<Result>, void> {
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    const message = `must be a whole number, 1 or more, not ${concurrency}`;
    throw new InvalidRequestError('concurrency', [{ path: [], message }]);
  }
  const source = iterate(items);
  const controller = new AbortController();
  const abort = (): void => controller.abort(callerSignal?.reason);
  callerSignal?.addEventListener('abort', abort, { once: true });
  if (callerSignal?.aborted) abort();

  type Settled = { readonly item: Item } & Outcome<Result>;
  const underWay = new Set<Promise<Settled>>();
  const start = (item: Item): void => {
    const settled: Promise<Settled> = work(item, controller.signal)
      .then(
        (result) => ({ item, result }),
        (error: unknown) => ({ item, error }),
      )
      .finally(() => underWay.delete(settled));
    underWay.add(settled);
  };

  let exhausted = false;
  try {
    while (true) {
      while (!exhausted && underWay.size < concurrency && !controller.signal.aborted) {
        const next = await source.next();
        if (next.done === true) exhausted = true;
        else start(next.value);
      }
      if (underWay.size === 0) return;
      const settled = await Promise.race(underWay);
      if (controller.signal.aborted && 'error' in settled) throw settled.error;
      yield settled;
    }
  } finally {
    controller.abort();
    callerSignal?.removeEventListener('abort', abort);
    await source.return?.();
  }
}

function iterate<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncIterator<Item> | Iterator<Item> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}
