import type { CheckOutcome } from './outcome.ts';

/** What the exit codes of `dq` and of a verdict mean, the same in every output mode. */
export const exitCode = {
  /** Done; the gate is open. */
  done: 0,
  /** A rule failed, the data is stale, or a metric is anomalous. */
  badData: 1,
  /** Wrong usage or configuration. */
  usage: 2,
  /** The key is missing, invalid or lacks the scope. */
  key: 3,
  /** No such asset, rule or metric. */
  notFound: 4,
  rateLimited: 5,
  /** Inconclusive: the service or the network failed, a rule errored, freshness is unknown, nothing was selected, time ran out. */
  inconclusive: 6,
  /** Ended by Ctrl-C: 128 and the number of SIGINT, as shells have it. */
  interrupted: 130,
} as const;

/** The exit code of a verdict or a judgement. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6;

const byStatus: ReadonlyMap<number, ExitCode> = new Map([
  [400, exitCode.usage],
  [401, exitCode.key],
  [403, exitCode.key],
  [404, exitCode.notFound],
  [429, exitCode.rateLimited],
]);

/** The exit code of a call that ended with this HTTP status. */
export function exitCodeOfStatus(status: number): ExitCode {
  return byStatus.get(status) ?? exitCode.inconclusive;
}

/** The exit code of an outcome that no error explains. */
export function exitCodeOfOutcome(outcome: CheckOutcome): ExitCode {
  if (outcome === 'failed') return exitCode.badData;
  return outcome === 'inconclusive' ? exitCode.inconclusive : exitCode.done;
}

/** The code that several outcomes end with together: the smallest except 0, so bad data comes before everything else. */
export function worstCode<Code extends number>(codes: readonly Code[]): Code | 0 {
  return codes.filter((code) => code !== exitCode.done).toSorted((a, b) => a - b)[0] ?? exitCode.done;
}

/** What the process of `dq` may end with. */
export type ProcessExitCode = (typeof exitCode)[keyof typeof exitCode];
