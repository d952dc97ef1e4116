import type { DataQualityClient } from '../client.ts';
import type { Deadline } from './deadline.ts';
import type { Progress } from './progress.ts';
import type { ResolvedGateOptions } from './resolve-options.ts';
import { suggestionOf } from './suggestion.ts';
import type { Check, CheckLabels } from './verdict.ts';

/** What the inspection of every asset needs. */
export interface Inspection {
  readonly client: DataQualityClient;
  readonly options: ResolvedGateOptions;
  readonly deadline: Deadline;
  readonly progress: Progress;
  /** The owners and tags of what was listed, by its entry. */
  readonly labels: Map<unknown, CheckLabels>;
  /** Runs a task when fewer than `concurrency` others are under way, over all assets. */
  readonly limit: <Result>(task: () => Promise<Result>) => Promise<Result>;
}

/** Why the result is missing: the deadline, if it cancelled the request, else the error itself. */
export function inconclusive(
  deadline: Deadline,
  error: unknown,
): Pick<Check, 'outcome' | 'reason' | 'error'> {
  if (deadline.reason !== undefined) {
    return { outcome: 'inconclusive', reason: `not done: ${deadline.reason}` };
  }
  const message = error instanceof Error ? error.message : String(error);
  const suggestion = suggestionOf(error);
  const reason = suggestion === undefined ? message : `${message.replace(/[^.]$/, '$&.')} ${suggestion}`;
  return { outcome: 'inconclusive', reason, error };
}

/** The owner and tags of a rule or metric that was listed. */
export function labelsOfItem({ labels }: Inspection, item: unknown): CheckLabels {
  return labels.get(item) ?? {};
}
