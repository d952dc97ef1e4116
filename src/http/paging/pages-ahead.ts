import type { FetchPage, Page } from './page.ts';

/** Pages that are fetched before they are asked for, in the order in which they will be. */
export class PagesAhead<Item> {
  readonly #fetchPage: FetchPage<Item>;
  readonly #concurrency: number;
  #queue: { readonly offset: number; readonly page: Promise<Page<Item>> }[] = [];
  readonly #callerSignal: AbortSignal | undefined;
  readonly #abort = (): void => this.cancel(this.#callerSignal?.reason);
  #controller = new AbortController();
  #inFlight = 0;
  #pageSize = 0;
  #total = 0;

  constructor(fetchPage: FetchPage<Item>, concurrency: number, callerSignal: AbortSignal | undefined) {
    this.#fetchPage = fetchPage;
    this.#concurrency = concurrency;
    this.#callerSignal = callerSignal;
    callerSignal?.addEventListener('abort', this.#abort, { once: true });
  }

  /** Fetches the page at `offset`, and those after it as far as they are allowed and, going by `total`, exist. */
  plan(offset: number, pageSize: number, total: number | undefined): void {
    if (this.#queue.length > 0 && this.#queue[0]?.offset !== offset) this.cancel();
    if (this.#queue.length === 0) this.#enqueue(offset);
    this.#pageSize = pageSize;
    this.#total = total ?? 0;
    this.#refill();
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
    this.#inFlight = 0;
  }

  /** Cancels whatever is in flight and removes the listener from the caller's signal. */
  close(): void {
    if (this.#inFlight > 0) this.cancel();
    this.#callerSignal?.removeEventListener('abort', this.#abort);
  }

  #enqueue(offset: number): void {
    if (this.#callerSignal?.aborted) this.#controller.abort(this.#callerSignal.reason);
    const page = this.#fetchPage(offset, this.#controller.signal);
    this.#queue.push({ offset, page });
    void this.#replace(page, this.#controller.signal);
  }

  /** Keeps as many requests on their way as are allowed; of pages that nobody has taken, fewer than twice as many. */
  #refill(): void {
    const most = 2 * this.#concurrency - 1;
    while (this.#queue.length < most && this.#inFlight < this.#concurrency) {
      const last = this.#queue.at(-1);
      if (last === undefined || last.offset + this.#pageSize >= this.#total) return;
      this.#enqueue(last.offset + this.#pageSize);
    }
  }

  /** Fetches another page as soon as this one has come, whatever the caller is at. */
  async #replace(page: Promise<Page<Item>>, signal: AbortSignal): Promise<void> {
    this.#inFlight++;
    try {
      await page;
    } catch {
      // A page that fails is reported when it is asked for, if ever.
      return;
    }
    if (signal.aborted) return;
    this.#inFlight--;
    this.#refill();
  }
}
