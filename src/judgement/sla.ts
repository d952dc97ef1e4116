import { formatNumber } from './number.ts';
import type { Judgement } from './outcome.ts';
import { formatPercent } from './percent.ts';

/** How much of a time data was fresh, and how much it was to be. */
export interface FreshShare {
  /** Of the time that is known to be fresh or stale, in percent; null without any. */
  readonly fresh_percent: number | null;
  /** Percent. */
  readonly target_percent: number;
}

/** Judges whether data was fresh for as much of the time as it was to be; without any known time it is inconclusive. */
export function judgeSla({ fresh_percent: fresh, target_percent: target }: FreshShare): Judgement {
  if (fresh === null)
    return { outcome: 'inconclusive', reason: 'how fresh the data is was not observed yet' };
  if (fresh >= target) return { outcome: 'passed' };
  return {
    outcome: 'failed',
    reason: `the data was fresh for ${formatPercent(fresh)} of the time (target ${formatNumber(target)} %)`,
  };
}
