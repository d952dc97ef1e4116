import type { PagePromise } from '../index.ts';
import { assetCommand } from './connection.ts';
import { wholeNumber } from './number.ts';
import { message } from './terminal.ts';

const defaultLimit = 100;

/** Begins a command that lists something of one asset. */
export function listingCommand(name: string) {
  return assetCommand(name)
    .option('--limit <n>', `most entries to list; default ${defaultLimit}`, wholeNumber(1))
    .option('--all', 'list all entries');
}

/** How much of a list is wanted. */
type ListingFlags = Pick<ReturnType<ReturnType<typeof listingCommand>['opts']>, 'limit' | 'all'>;

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
