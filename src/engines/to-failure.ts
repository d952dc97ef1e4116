import type { EvaluationFailure } from '../service/evaluation.ts';
import { QueryError } from './query-error.ts';

/** Runs a task; returns what the data or the definition made fail as a failure that is stored. */
export async function toFailure<Value>(task: () => Promise<Value>): Promise<Value | EvaluationFailure> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof QueryError) return { error_message: error.message };
    throw error;
  }
}
