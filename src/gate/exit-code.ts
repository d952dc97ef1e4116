import { isApiError } from '../errors.ts';
import type { ExitCode } from './verdict.ts';

const byStatus: ReadonlyMap<number, ExitCode> = new Map([
  [401, 3],
  [403, 3],
  [404, 4],
  [429, 5],
]);

/** The exit code of a gate that could not tell because of this error, or for a reason without one. */
export function inconclusiveCode(error: unknown): ExitCode {
  return isApiError(error) ? (byStatus.get(error.status) ?? 6) : 6;
}
