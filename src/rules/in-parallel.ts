import { InvalidRequestError } from '../errors.ts';

/**
 * Runs `work` on every item, a number of them at once, and returns the results in the order of the items. After a
 * failure nothing more is begun, and what is under way is waited for.
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
  const results: Result[] = [];
  // One iterator for all workers: each takes what no other has taken.
  const source = [...items].entries();
  let failed = false;
  const worker = async (): Promise<void> => {
    for (const [at, item] of source) {
      if (failed) return;
      try {
        results[at] = await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  const failure = ended.find((one) => one.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return results;
}
