import { QueryError } from '../query-error.ts';
import type { Engine } from './engine.ts';

/** Does a task again if it met a columnar copy that somebody deleted or damaged: then without that copy. */
export async function evenWithoutCopy<Result>(
  { copies }: Pick<Engine, 'copies'>,
  task: () => Promise<Result>,
): Promise<Result> {
  try {
    return await task();
  } catch (error) {
    const isOver = error instanceof QueryError && (await copies?.discardFailed(error)) === true;
    if (!isOver) throw error;
    return task();
  }
}
