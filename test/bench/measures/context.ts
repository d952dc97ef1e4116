/** What every measure is given. */
export interface Context {
  /** The service of the benchmark. */
  readonly url: string;
  /** Rounds of the measures that are repeated. */
  readonly rounds: number;
  /** By how much the long measures are shortened: 1 for the full benchmark. */
  readonly shorter: number;
}
