import type { FetchPage, Page } from './page.ts';

/** Pages that are fetched before they are asked for, in the order in which they will be. */
export class PagesAhead<Item> {
  readonly #fetchPage: FetchPage<Item>;
  readonly #concurrency: number;
  #queue: { readonly offset: number; readonly page: Promise<Page<Item>> }[] = [];
  readonly #callerSignal: AbortSignal | undefined;
  readonly #abort = (): void => this.cancel(this.#callerSignal?.reason);
  #controller = new AbortController();

  constructor(fetchPage: FetchPage<Item>, concurrency: number, callerSignal: AbortSignal | undefined) {
    this.#fetchPage = fetchPage;
    this.#concurrency = concurrency;
    this.#callerSignal = callerSignal;
    callerSignal?.addEventListener('abort', this.#abort, { once: true });
  }

  /** Fetches the page at `offset`, and as many after it as are allowed and, going by `total`, exist. */
  plan(offset: number, pageSize: number, total: number | undefined): void {
    if (this.#queue.length > 0 && this.#queue[0]?.offset !== offset) this.cancel();
    let next = offset + this.#queue.length * pageSize;
    while (this.#queue.length === 0 || (this.#queue.length < this.#concurrency && next < (total ?? 0))) {
      this.#enqueue(next);
      next += pageSize;
    }
  }

  /** The page at `offset`; what was fetched for another order is cancelled. */
  take(offset: number): Promise<Page<Item>> {
    if (this.#queue[0]?.offset !== offset) {
      this.cancel();
      this.#enqueue(offset);
    }
    // The line above put it there.
    return (this.#queue.shift() as { page: Promise<Page<Item>> }).page;
  }

  /** Cancels whatever is in flight. */
  cancel(reason?: unknown): void {
    this.#controller.abort(reason);
    this.#controller = new AbortController();
    this.#queue = [];
  }

  /** Cancels whatever is in flight and lets go of the caller's signal. */
  close(): void {
    this.cancel();
    this.#callerSignal?.removeEventListener('abort', this.#abort);
  }

  #enqueue(offset: number): void {
    if (this.#callerSignal?.aborted) this.#controller.abort(this.#callerSignal.reason);
    const page = this.#fetchPage(offset, this.#controller.signal);
    // A page that fails is reported when it is asked for, if ever.
    page.catch(() => undefined);
    this.#queue.push({ offset, page });
  }
}
