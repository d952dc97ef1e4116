import type { Pagination } from '../../contract/envelope.ts';

/** Fetches the page that starts at an offset. */
export type FetchPage<Item> = (offset: number, signal?: AbortSignal) => Promise<Page<Item>>;

/** One page of a list (interface: Pagination and sizes). */
export class Page<Item> {
  /** The items of this page. */
  readonly items: readonly Item[];
  /** Where this page stands in the whole, as the service says it; empty where it says nothing. */
  readonly pagination: Pagination;
  readonly #fetchPage: FetchPage<Item>;
  readonly #offset: number;

  /** @internal */
  constructor(
    value: { readonly items: readonly Item[]; readonly pagination: Pagination },
    offset: number,
    fetchPage: FetchPage<Item>,
  ) {
    this.items = value.items;
    this.pagination = value.pagination;
    this.#offset = value.pagination.offset ?? offset;
    this.#fetchPage = fetchPage;
  }

  /** Whether the service says that more items follow this page. */
  hasNextPage(): boolean {
    const { has_more: hasMore, total } = this.pagination;
    return hasMore ?? (typeof total === 'number' && this.nextOffset < total && this.items.length > 0);
  }

  /**
   * The page after this one, or `undefined` if this is the last one.
   * Throws what the list method throws.
   */
  async getNextPage(): Promise<Page<Item> | undefined> {
    return this.hasNextPage() ? this.#fetchPage(this.nextOffset) : undefined;
  }

  /**
   * Where the next page starts: the service's own offset and what it really returned, so that a service that
   * allows less than was asked for skips nothing.
   *
   * @internal
   */
  get nextOffset(): number {
    return this.#offset + this.items.length;
  }
}
