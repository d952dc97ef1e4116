import type { InvalidSample } from '../contract/index.ts';
import type { Backend } from './context.ts';
import type { CheckCounts, EvaluationFailure } from './evaluation.ts';
import { ruleNotFound } from './problem.ts';
import type { ResultRecord, RuleRecord } from './store.ts';
import { timestamp } from './timestamp.ts';

/** A result that was stored, and the rows that broke the rule: null if it could not be evaluated. */
export interface Check {
  readonly result: ResultRecord;
  readonly samples: readonly InvalidSample[] | null;
}

/** Checks a rule and stores the result; of a check that is aborted, nothing is stored. */
export async function runCheck(
  { store, evaluation, now }: Backend,
  rule: RuleRecord,
  sampleLimit: number,
  signal?: AbortSignal,
): Promise<Check> {
  const startedAt = performance.now();
  const outcome = await evaluation.checkRule(rule, sampleLimit, signal);
  const measured = Math.round(performance.now() - startedAt);
  // The rule may have been deleted during a long check: a result without a rule would stay for ever.
  if ((await store.rules.get(rule.asset_id, rule.uuid)) === undefined) throw ruleNotFound(rule.uuid);
  const result = await store.results.insert({
    validity_rule_id: rule.id,
    ...judge(rule, outcome, measured),
    checked_at: timestamp(now()),
  });
  return { result, samples: 'error_message' in outcome ? null : outcome.samples.slice(0, sampleLimit) };
}

function judge(
  rule: RuleRecord,
  outcome: CheckCounts | EvaluationFailure,
  measured: number,
): Omit<ResultRecord, 'id' | 'validity_rule_id' | 'checked_at'> {
  if ('error_message' in outcome) {
    return {
      status: 'error',
      total_rows: 0,
      invalid_count: 0,
      invalid_percent: 0,
      execution_duration_ms: measured,
      error_message: outcome.error_message,
    };
  }
  const { total_rows, invalid_count } = outcome;
  const percent = outcome.invalid_percent ?? (total_rows === 0 ? 0 : (100 * invalid_count) / total_rows);
  const threshold = rule.alert_threshold_percent ?? 0;
  return {
    status: outcome.status ?? (percent > threshold ? 'fail' : 'pass'),
    total_rows,
    invalid_count,
    invalid_percent: percent,
    execution_duration_ms: outcome.execution_duration_ms ?? measured,
    error_message: null,
  };
}
