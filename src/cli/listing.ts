import type { PagePromise } from '../index.ts';
import { wholeNumber } from './number.ts';
import { message } from './terminal.ts';

const defaultLimit = 100;

/** How much of a list is wanted. */
export interface ListingFlags {
  readonly limit?: number | undefined;
  readonly all?: boolean | undefined;
}

/** The page size that suits what is wanted; the service allows at most 100. */
export function pageSize({ limit = defaultLimit, all }: ListingFlags): number {
  return all === true ? 100 : Math.max(1, Math.min(limit, 100));
}

/** Collects as much of a list as was asked for, and says so if there is more. */
export async function collect<Item>(
  request: PagePromise<Item>,
  flags: ListingFlags,
): Promise<readonly Item[]> {
  const { limit = defaultLimit, all } = flags;
  if (all === true) return request.toArray();
  const items = await request.toArray({ max: limit + 1 });
  if (items.length > limit) message(`These are the first ${limit}; --all lists all, --limit <n> more.`);
  return items.slice(0, limit);
}

/** Reads `--limit`. */
export const limitFlag = ['--limit <n>', 'most entries to list; default 100', wholeNumber(1)] as const;

/** Reads `--all`. */
export const allFlag = ['--all', 'list all entries'] as const;
