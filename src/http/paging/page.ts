import type { Pagination } from '../../contract/envelope.ts';
import { isSame } from './seen-items.ts';

/** Fetches the page that starts at an offset. */
export type FetchPage<Item> = (offset: number, signal?: AbortSignal) => Promise<Page<Item>>;

/** What a page needs to know of its list. */
export interface PageSource<Item> {
  readonly fetchPage: FetchPage<Item>;
  /** A page of so many items may be followed by another one, if the service says nothing about it. */
  readonly fullSize: number;
  /** Makes the error of a list that contradicts itself. */
  readonly contradiction: (message: string) => Error;
}

/** One page of a list. */
export class Page<Item> {
  /** The items of this page. */
  readonly items: readonly Item[];
  /** Where this page is in the whole list, as the service says it; empty if it says nothing. */
  readonly pagination: Pagination;
  readonly #keys: readonly unknown[];
  readonly #offset: number;
  readonly #source: PageSource<Item>;

  /** @internal */
  constructor(
    value: {
      readonly items: readonly Item[];
      readonly pagination: Pagination;
      readonly keys: readonly unknown[];
    },
    offset: number,
    source: PageSource<Item>,
  ) {
    this.items = value.items;
    this.pagination = value.pagination;
    this.#keys = value.keys;
    this.#offset = value.pagination.offset ?? offset;
    this.#source = source;
  }

  /** Returns whether more items follow; a full page that says nothing about it is followed by another one. */
  hasNextPage(): boolean {
    const { has_more: hasMore, total } = this.pagination;
    if (hasMore === true) return true;
    if (typeof total === 'number') return this.nextOffset < total;
    return this.isSilent && this.items.length >= this.#source.fullSize;
  }

  /**
   * Fetches the page after this one; `undefined` if this is the last one.
   *
   * @throws what the list method throws; `ResponseValidationError` if this page contradicts itself.
   */
  async getNextPage(): Promise<Page<Item> | undefined> {
    this.rejectContradiction();
    if (!this.hasNextPage()) return undefined;
    const next = await this.#source.fetchPage(this.nextOffset);
    // A service that does not know of pages returns its whole list again.
    return this.isSilent && isSame(next.items, this.items) ? undefined : next;
  }

  /**
   * Where the next page starts: the service's own offset and the number of items it really returned, so that nothing
   * is skipped if it allows fewer than were asked for.
   *
   * @internal
   */
  get nextOffset(): number {
    return this.#offset + this.items.length;
  }

  /**
   * What identifies the items; `undefined` for one that nothing does.
   *
   * @internal
   */
  get keys(): readonly unknown[] {
    return this.#keys;
  }

  /**
   * Whether the service says nothing about whether more items follow.
   *
   * @internal
   */
  get isSilent(): boolean {
    return typeof this.pagination.has_more !== 'boolean' && typeof this.pagination.total !== 'number';
  }

  /**
   * Throws if the page says that more items follow, and also that none do: the list would end incomplete.
   *
   * @internal
   */
  rejectContradiction(): void {
    const { has_more: hasMore, total } = this.pagination;
    if (hasMore === true) {
      if (this.items.length > 0) return;
      throw this.#source.contradiction('a page without items claims that more follow');
    }
    if (typeof total !== 'number' || this.nextOffset >= total) return;
    if (hasMore === false || this.items.length === 0) {
      throw this.#source.contradiction(
        `the list ends after ${this.nextOffset} items, but its total is ${total}`,
      );
    }
  }
}
