import type { WalkedPage } from './page-walk.ts';

/**
 * The items of a list, one after the other: what an async generator over them would be, at a third of its cost
 * an item.
 */
export class PageItems<Item> implements AsyncIterableIterator<Item, void> {
  readonly #pages: AsyncGenerator<WalkedPage<Item>, void>;
  #items: readonly Item[] = [];
  #index = 0;
  /** How many have asked and wait for a page; they get their items in turn, each after the one before. */
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(pages: AsyncGenerator<WalkedPage<Item>, void>) {
    this.#pages = pages;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Item, void>> {
    if (this.#waiting === 0 && this.#index < this.#items.length) return Promise.resolve(this.#take());
    this.#waiting++;
    const result = this.#takeAfter(this.#last);
    this.#last = result;
    return result;
  }

  async return(): Promise<IteratorResult<Item, void>> {
    this.#items = [];
    await this.#pages.return();
    return { done: true, value: undefined };
  }

  async #takeAfter(before: Promise<unknown>): Promise<IteratorResult<Item, void>> {
    try {
      // A failure was told to whoever asked before; after it the pages have ended.
      await before.catch(() => undefined);
      while (this.#index >= this.#items.length) {
        const page = await this.#pages.next();
        if (page.done === true) return page;
        this.#items = page.value.unseen;
        this.#index = 0;
      }
      return this.#take();
    } finally {
      this.#waiting--;
    }
  }

  #take(): IteratorResult<Item, void> {
    // Only called where there is one.
    return { done: false, value: this.#items[this.#index++] as Item };
  }
}
