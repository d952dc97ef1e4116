import { isApiError, isDataQualityError, type StaleDataError } from '../index.ts';
import { type ExitCode, exitCode, exitCodeOfOutcome, exitCodeOfStatus } from '../judgement/exit-code.ts';
import { asRecord } from '../judgement/field.ts';
import { CliError } from './cli-error.ts';
import { inWordsOfFlags } from './words-of-flags.ts';

/** The exit code of a command that failed with this error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError) return error.exitCode;
  if (isApiError(error)) return exitCodeOfStatus(error.status);
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
      return exitCodeOfOutcome((error as StaleDataError).outcome);
    default:
      return exitCode.inconclusive;
  }
}

/** What a failed command reports to the user. */
export function describeFailure(error: unknown): string {
  if (isApiError(error)) {
    const { suggestion } = asRecord(error.details);
    return typeof suggestion === 'string' ? `${error.message}\n${suggestion}` : error.message;
  }
  if (isDataQualityError(error) && error.code === 'CONFIGURATION') return inWordsOfFlags(error.message);
  const advice = isDataQualityError(error) ? adviceOn(error.code) : undefined;
  if (advice !== undefined) return `${(error as Error).message}\n${advice}`;
  if (error instanceof CliError || isDataQualityError(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** What to do about a connection that was never made. */
export function adviceOn(code: unknown): string | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return 'Nothing listens there: check that the service runs and the port is right; `dq serve <folder>` starts one on this machine.';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'The name of the host is not known: check the address of the service, the network and the proxy.';
    default:
      return undefined;
  }
}
