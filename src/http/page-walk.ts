import type { FetchPage, Page } from './page.ts';
import { PagesAhead } from './pages-ahead.ts';

/** A list that others change all the time may repeat this many pages in a row before a walk gives up. */
const mostRepeats = 100;

/** How a list is walked. */
export interface PageWalkOptions {
  /** Pages fetched at once, where the service says how many there are. */
  readonly concurrency: number;
  /** The caller's signal, which ends the requests of the walk. */
  readonly signal: AbortSignal | undefined;
  /** Makes the error that ends a walk which would not end by itself. */
  readonly stuck: (message: string) => Error;
}

/** A page with those of its items that no page before it had. */
export interface WalkedPage<Item> {
  readonly page: Page<Item>;
  readonly unseen: readonly Item[];
}

/**
 * Walks a list page by page from its first page on. The next page is fetched while the caller works on this
 * one; when the caller stops, whatever is in flight is cancelled.
 */
export async function* walkPages<Item>(
  first: Page<Item>,
  fetchPage: FetchPage<Item>,
  options: PageWalkOptions,
): AsyncGenerator<WalkedPage<Item>, void> {
  const ahead = new PagesAhead(fetchPage, options.concurrency, options.signal);
  const seen = new SeenItems<Item>();
  let page = first;
  let repeats = 0;
  try {
    while (true) {
      const unseen = seen.add(page.items);
      const more = page.hasNextPage();
      const offset = page.nextOffset;
      if (more && page.items.length === 0)
        throw options.stuck('a page without items claims that more follow');
      if (more) ahead.plan(offset, page.items.length, page.pagination.total ?? undefined);
      yield { page, unseen };
      if (!more) return;

      const next = await takeWithoutGap(ahead, page);
      if (next.hasNextPage()) {
        const moved = next.pagination.total !== page.pagination.total;
        repeats = seen.hasAll(next.items) ? repeats + 1 : 0;
        if (repeats > (moved ? mostRepeats : 0))
          throw options.stuck('a page repeats items and claims that more follow');
        if (next.nextOffset <= offset && !moved) {
          throw options.stuck(
            `a page asked for at offset ${offset} is one before it and claims that more follow`,
          );
        }
      }
      page = next;
    }
  } finally {
    ahead.close();
  }
}

/**
 * The page after this one. Where the total has shrunk meanwhile, items have moved back over the border between
 * the two, so it begins that much earlier.
 */
async function takeWithoutGap<Item>(ahead: PagesAhead<Item>, page: Page<Item>): Promise<Page<Item>> {
  let offset = page.nextOffset;
  let total = page.pagination.total;
  while (true) {
    const next = await ahead.take(offset);
    const nextTotal = next.pagination.total;
    if (typeof total !== 'number' || typeof nextTotal !== 'number' || nextTotal >= total || offset === 0)
      return next;
    offset = Math.max(0, offset - (total - nextTotal));
    total = nextTotal;
  }
}

/** Which items a walk has met, by their `uuid` or `id`. Items without one can only be compared a page at a time. */
class SeenItems<Item> {
  readonly #keys = new Set<unknown>();
  #lastPage: string | undefined;

  /** Remembers the items, and returns those that are new. */
  add(items: readonly Item[]): readonly Item[] {
    if (items.some((item) => keyOf(item) === undefined)) {
      this.#lastPage = JSON.stringify(items);
      return items;
    }
    return items.filter((item) => {
      const known = this.#keys.size;
      return this.#keys.add(keyOf(item)).size > known;
    });
  }

  /** Whether every one of the items was met before. */
  hasAll(items: readonly Item[]): boolean {
    return items.some((item) => keyOf(item) === undefined)
      ? this.#lastPage === JSON.stringify(items)
      : items.every((item) => this.#keys.has(keyOf(item)));
  }
}

function keyOf(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return undefined;
  if ('uuid' in item) return item.uuid ?? undefined;
  return 'id' in item ? (item.id ?? undefined) : undefined;
}
