import { isApiError, isDataQualityError, type StaleDataError } from '../index.ts';
import { CliError } from './cli-error.ts';
import { type ExitCode, exitCode } from './exit-code.ts';

/** The exit code a failed command ends with. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError) return error.exitCode;
  if (isApiError(error)) return byStatus.get(error.status) ?? exitCode.inconclusive;
  if (!isDataQualityError(error)) return exitCode.inconclusive;
  switch (error.code) {
    case 'CONFIGURATION':
    case 'INVALID_REQUEST':
      return exitCode.usage;
    case 'APPLY_FAILED':
      return exitCodeOf(error.cause);
    case 'GATE_FAILED':
      return exitCode.badData;
    case 'STALE_DATA':
      // The code is that of one class, in this copy of the package or another.
      return isStale(error as StaleDataError) ? exitCode.badData : exitCode.inconclusive;
    default:
      return exitCode.inconclusive;
  }
}

const byStatus: ReadonlyMap<number, ExitCode> = new Map([
  [400, exitCode.usage],
  [401, exitCode.key],
  [403, exitCode.key],
  [404, exitCode.notFound],
  [429, exitCode.rateLimited],
]);

/** Data of an unknown age is not known to be bad. */
function isStale({ freshness, ageMinutes }: StaleDataError): boolean {
  const status = freshness.status?.toLowerCase();
  return status === 'stale' || (status !== 'unknown' && ageMinutes !== undefined);
}

/** What a failed command tells the user. */
export function describeFailure(error: unknown): string {
  if (error instanceof CliError || isDataQualityError(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
