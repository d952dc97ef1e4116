import type { DataQualityClient } from '../client.ts';
import type { Deadline } from './deadline.ts';
import type { Demand } from './demand.ts';
import type { Progress } from './progress.ts';
import type { Check } from './verdict.ts';

/** What every look at an asset needs. */
export interface Inspection {
  readonly client: DataQualityClient;
  readonly demand: Demand;
  readonly deadline: Deadline;
  readonly progress: Progress;
  /** Calls under way at once for one asset. */
  readonly concurrency: number;
}

/** Says why there is no result: the deadline, where it cancelled the call, else the error itself. */
export function withoutResult(
  deadline: Deadline,
  error: unknown,
): Pick<Check, 'outcome' | 'reason' | 'error'> {
  if (deadline.reason !== undefined)
    return { outcome: 'inconclusive', reason: `not done: ${deadline.reason}` };
  return { outcome: 'inconclusive', reason: error instanceof Error ? error.message : String(error), error };
}
