import pMap, { pMapSkip } from 'p-map';

import { InvalidRequestError } from '../errors/invalid-request-error.ts';

/**
 * Runs `work` on every item, a number of them at once, and returns the results in the order of the items. After a
 * failure nothing more is started, and what is under way is waited for.
 *
 * @throws {InvalidRequestError} if `concurrency` is not a whole number of 1 or more.
 */
export async function inParallel<Item, Result>(
  items: Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    const message = `must be a whole number, 1 or more, not ${concurrency}`;
    throw new InvalidRequestError('rules', [{ path: ['concurrency'], message }]);
  }
  // p-map would return at the first failure, while requests that change something are still under way.
  const failures: unknown[] = [];
  const results = await pMap(
    items,
    async (item): Promise<Result | typeof pMapSkip> => {
      if (failures.length > 0) return pMapSkip;
      try {
        return await work(item);
      } catch (error) {
        failures.push(error);
        return pMapSkip;
      }
    },
    { concurrency },
  );
  if (failures.length > 0) throw failures[0];
  return results;
}
