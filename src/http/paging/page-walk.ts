import type { FetchPage, Page } from './page.ts';
import { PagesAhead } from './pages-ahead.ts';
import { SeenItems } from './seen-items.ts';

/** A list that others change all the time may repeat this many pages in a row before a walk gives up. */
const mostRepeats = 100;

/** How a list is walked. */
export interface PageWalkOptions {
  /** Pages fetched at once, if the service says how many there are. */
  readonly concurrency: number;
  /** The caller's signal, which ends the requests of the walk. */
  readonly signal: AbortSignal | undefined;
  /** Makes the error that ends a walk which would not end by itself. */
  readonly contradiction: (message: string) => Error;
}

/** A page with those of its items that no page before it had. */
export interface WalkedPage<Item> {
  readonly page: Page<Item>;
  readonly newItems: readonly Item[];
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
  // Each item that was added or removed meanwhile moves one item into sight a second time, at once or pages later.
  let allowedRepeats = 0;
  let repeatsInARow = 0;
  try {
    while (true) {
      const newItems = seen.add(page);
      const more = page.hasNextPage();
      const offset = page.nextOffset;
      if (more && page.items.length > 0)
        ahead.plan(offset, page.items.length, page.pagination.total ?? undefined);
      yield { page, newItems };
      page.rejectContradiction();
      if (!more) return;

      const { next, moved } = await takeWithoutGap(ahead, page);
      allowedRepeats += moved;
      const isRepeat = seen.hasAll(next);
      if (isRepeat && next.isSilent) return;
      repeatsInARow = isRepeat ? repeatsInARow + 1 : 0;
      if (isRepeat) allowedRepeats -= next.items.length;
      if (next.hasNextPage()) {
        if (isRepeat && (allowedRepeats < 0 || repeatsInARow > mostRepeats)) {
          throw options.contradiction('a page repeats items and claims that more follow');
        }
        if (next.nextOffset <= offset && moved === 0) {
          throw options.contradiction(
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
 * The page after this one, and by how many items the total has moved meanwhile. If it has shrunk, items have
 * moved back over the border between the two, so the page begins that much earlier.
 */
async function takeWithoutGap<Item>(
  ahead: PagesAhead<Item>,
  page: Page<Item>,
): Promise<{ next: Page<Item>; moved: number }> {
  let offset = page.nextOffset;
  let total = page.pagination.total;
  let moved = 0;
  while (true) {
    const next = await ahead.take(offset);
    const nextTotal = next.pagination.total;
    if (typeof total !== 'number' || typeof nextTotal !== 'number') return { next, moved };
    moved += Math.abs(nextTotal - total);
    if (nextTotal >= total || offset === 0) return { next, moved };
    offset = Math.max(0, offset - (total - nextTotal));
    total = nextTotal;
  }
}
