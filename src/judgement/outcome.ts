// The verdict about one thing: passed, failed or inconclusive.

/** What a judgement concludes: only `passed` may open anything. */
export type Outcome = 'passed' | 'failed' | 'inconclusive';

/**
 * How one check ended: `tolerated` failed below the severity of `failOn`; `skipped` is inactive and was not run;
 * `inconclusive` means that nobody knows, so it fails a gate like a failure.
 */
export type CheckOutcome = Outcome | 'tolerated' | 'skipped';

/** What one response means. */
export interface Judgement<Possible extends CheckOutcome = Outcome> {
  /** `passed`, or what keeps it from passing. */
  readonly outcome: Possible;
  /** Why the outcome is not `passed`, in words; absent if it is. */
  readonly reason?: string;
}

/** How many checks ended in which way. */
export type OutcomeCounts = Readonly<Record<CheckOutcome, number>>;

/** Counts how checks ended. */
export function countOutcomes(outcomes: readonly CheckOutcome[]): OutcomeCounts {
  const counts = { passed: 0, failed: 0, inconclusive: 0, tolerated: 0, skipped: 0 };
  for (const outcome of outcomes) counts[outcome]++;
  return counts;
}
