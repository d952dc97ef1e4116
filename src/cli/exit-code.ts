/** What the exit code of `dq` says, the same in every output mode. */
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
  /** Could not tell: the service or the network failed, a rule errored, freshness unknown, nothing selected, time ran out. */
  inconclusive: 6,
  /** Ended by Ctrl-C: 128 and the number of SIGINT, as shells have it. */
  interrupted: 130,
} as const;

/** An exit code of `dq`. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The code several outcomes end with together: the smallest but 0, so bad data comes before all else. */
export function worstCode(codes: readonly ExitCode[]): ExitCode {
  return codes.filter((code) => code !== exitCode.done).toSorted((a, b) => a - b)[0] ?? exitCode.done;
}
