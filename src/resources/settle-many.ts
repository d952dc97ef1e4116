import type { Endpoint } from '../contract/endpoint.ts';
import { AbortError } from '../errors/no-result-errors.ts';
import { checkConcurrency } from '../http/request-options.ts';

/** How many calls of a bulk method are under way at once. */
export interface BulkOptions {
  /**
   * Calls under way at once.
   *
   * @default 8
   */
  readonly concurrency?: number | undefined;
}

/** How one call of a bulk method ended. */
export type Settled<Result> =
  | {
      /** What the call returned. */
      readonly result: Result;
    }
  | {
      /** What the call threw. */
      readonly error: unknown;
    };

/**
 * Runs `work` on every item, `concurrency` at a time, and yields the outcomes as they end. No more items are
 * taken than outcomes are wanted; when the consumer stops, what is under way is cancelled. Throws `AbortError`
 * when the signal aborts, and, after the last outcome, what the items threw.
 */
export async function* settleMany<Item, Result>(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  { concurrency = 8, signal }: BulkOptions & { readonly signal?: AbortSignal | undefined },
): AsyncGenerator<{ readonly item: Item } & Settled<Result>, void> {
  checkConcurrency(`${method} ${path}`, concurrency);
  const source = new Source(items);
  const controller = new AbortController();
  const settled: ({ readonly item: Item } & Settled<Result>)[] = [];
  const calls = { running: 0 };
  // One promise for whatever happens next: racing the calls would leave a listener on each of them every time.
  let change = Promise.withResolvers<void>();

  const wake = (): void => change.resolve();
  const abort = (): void => {
    controller.abort(signal?.reason);
    wake();
  };
  const run = async (item: Item): Promise<void> => {
    calls.running++;
    try {
      settled.push({ item, result: await work(item, controller.signal) });
    } catch (error) {
      settled.push({ item, error });
    }
    calls.running--;
    wake();
  };

  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  try {
    while (!source.exhausted || calls.running > 0 || settled.length > 0) {
      if (controller.signal.aborted) {
        throw new AbortError({ method, path, attempts: 0 }, calls.running > 0, signal?.reason);
      }
      if (source.ready && calls.running + settled.length < concurrency) {
        void source.take(run).then(wake);
      }
      const outcome = settled.shift();
      if (outcome !== undefined) {
        yield outcome;
      } else {
        await change.promise;
        change = Promise.withResolvers();
      }
    }
    source.rethrow();
  } finally {
    controller.abort();
    signal?.removeEventListener('abort', abort);
    await source.close();
  }
}

/** The items, taken one at a time. */
class Source<Item> {
  readonly #iterator: AsyncIterator<Item> | Iterator<Item>;
  #taking = false;
  #failure: { readonly error: unknown } | undefined;
  /** Whether no item is left. */
  exhausted = false;

  constructor(items: Iterable<Item> | AsyncIterable<Item>) {
    this.#iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  }

  /** Whether the next item can be taken now. */
  get ready(): boolean {
    return !this.#taking && !this.exhausted;
  }

  /** Hands the next item to `use`, if there is one. */
  async take(use: (item: Item) => Promise<void>): Promise<void> {
    this.#taking = true;
    try {
      const next = await this.#iterator.next();
      this.exhausted = next.done === true;
      if (next.done !== true) void use(next.value);
    } catch (error) {
      this.exhausted = true;
      this.#failure = { error };
    }
    this.#taking = false;
  }

  /** Throws what the items threw, if they did. */
  rethrow(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Notifies the items that no more of them are wanted. */
  async close(): Promise<void> {
    if (this.exhausted) return;
    const closed = Promise.resolve(this.#iterator.return?.());
    // One that waits for its next item can't end before it has it, and nobody must wait for that.
    if (this.#taking) closed.catch(() => undefined);
    else await closed;
  }
}
