import type { ValidityCheckResult } from '../index.ts';
import { judgeCheck } from '../judgement/check.ts';
import type { CheckOutcome } from '../judgement/outcome.ts';
import type { ReportedRule } from './report.ts';
import { parseTimestamp } from './time.ts';

/** How one check of a rule ended, judged as its latest one is. */
export function outcomeOfCheck(
  { rule, allowEmpty }: Pick<ReportedRule, 'rule' | 'allowEmpty'>,
  result: ValidityCheckResult,
): CheckOutcome {
  return judgeCheck(result, { rule, allowEmpty }).outcome;
}

/** How the rules that were checked on one day ended. */
export interface Day {
  /** Its start, milliseconds since 1970, UTC. */
  readonly at: number;
  readonly checked: number;
  readonly failed: number;
  readonly inconclusive: number;
}

const dayMs = 86_400_000;

/** Counts how the last check of each rule ended on each day, from the oldest day to the newest, at most this many. */
export function trendOf(rules: readonly ReportedRule[], mostDays: number): readonly Day[] {
  const days = new Map<number, Map<string, CheckOutcome>>();
  for (const reported of rules) {
    for (const result of reported.results) {
      const time = parseTimestamp(result.checked_at);
      if (time === undefined) continue;
      const at = Math.floor(time / dayMs) * dayMs;
      const day = days.get(at) ?? new Map<string, CheckOutcome>();
      // Results are newest first: the first of a day is its last.
      if (!day.has(reported.rule.uuid)) day.set(reported.rule.uuid, outcomeOfCheck(reported, result));
      days.set(at, day);
    }
  }
  const newest = Math.max(...days.keys());
  return [...days]
    .filter(([at]) => newest - at < mostDays * dayMs)
    .map(([at, outcomes]) => ({
      at,
      checked: outcomes.size,
      failed: count(outcomes.values(), 'failed'),
      inconclusive: count(outcomes.values(), 'inconclusive'),
    }))
    .toSorted((a, b) => a.at - b.at);
}

function count(outcomes: Iterable<CheckOutcome>, wanted: CheckOutcome): number {
  return [...outcomes].filter((outcome) => outcome === wanted).length;
}

/** What a rule's latest check changed against the one before it. */
export type Change = 'new' | 'recovered';

/** Whether the latest check of a rule is the first to fail, or the first to pass again; `undefined` if neither. */
export function changeOf(reported: ReportedRule): Change | undefined {
  const { results, outcome } = reported;
  const [, before] = results;
  if (before === undefined) return undefined;
  const earlier = outcomeOfCheck(reported, before);
  if (outcome === 'failed' && earlier !== 'failed') return 'new';
  return outcome === 'passed' && earlier === 'failed' ? 'recovered' : undefined;
}

/** When the failures of a rule began: the time of the oldest of the failed checks in a row up to now. */
export function failingSince(reported: ReportedRule): number | undefined {
  let since: number | undefined;
  for (const result of reported.results) {
    if (outcomeOfCheck(reported, result) !== 'failed') break;
    since = parseTimestamp(result.checked_at) ?? since;
  }
  return since;
}
