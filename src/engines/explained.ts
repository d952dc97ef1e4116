import type { EvaluationFailure } from '../service/evaluation.ts';
import { QueryError } from './query-error.ts';

/** Turns what the data or the definition explains into a failure that is stored. */
export async function explained<Value>(task: () => Promise<Value>): Promise<Value | EvaluationFailure> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof QueryError) return { error_message: error.message };
    throw error;
  }
}
