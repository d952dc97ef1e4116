import type { Freshness } from '../contract/freshness.ts';
import type { MetricSnapshot } from '../contract/metrics.ts';
import type { ValidityCheck, ValidityRule } from '../contract/validity.ts';
import type { Severity } from '../contract/vocabulary.ts';
import { formatNumber } from './label.ts';
import { formatPercent } from './percent.ts';
import { severityRank } from './severity.ts';
import type { Check } from './verdict.ts';

/** How a result is to be read. */
export type Judgement = Pick<Check, 'outcome' | 'reason'>;

/** Reads the result of a rule by its status; what is not surely a pass or a failure is inconclusive. */
export function judgeRule(rule: ValidityRule, result: ValidityCheck, failOn: Severity): Judgement {
  const status = normalise(result.status);
  if (status === 'pass') return { outcome: 'passed' };
  if (status === 'fail') {
    const reason = describeInvalid(result);
    if (severityRank(rule.severity) >= severityRank(failOn)) return { outcome: 'failed', reason };
    return {
      outcome: 'tolerated',
      reason: `${reason}; severity ${rule.severity ?? 'warning'}, below ${failOn}`,
    };
  }
  const message = result['error_message'];
  const detail = typeof message === 'string' && message !== '' ? `: ${message}` : '';
  return {
    outcome: 'inconclusive',
    reason: `the check ended with ${describeStatus(result.status)}${detail}`,
  };
}

/** Reads the freshness of an asset, against an age if one is given, else by its status. */
export function judgeFreshness(freshness: Freshness, maxAgeMinutes: number | undefined): Judgement {
  const status = normalise(freshness.status);
  const age = typeof freshness.data_age_minutes === 'number' ? freshness.data_age_minutes : undefined;
  const ageText = age === undefined ? 'its age is not known' : `it is ${formatNumber(age)} minutes old`;
  if (status !== 'fresh' && status !== 'stale') {
    return {
      outcome: 'inconclusive',
      reason: `freshness is ${describeStatus(freshness.status)}; ${ageText}`,
    };
  }
  if (maxAgeMinutes === undefined) {
    if (status === 'fresh') return { outcome: 'passed' };
    const threshold = freshness.sla_threshold ? `, allowed are ${freshness.sla_threshold}` : '';
    return { outcome: 'failed', reason: `the data is stale: ${ageText}${threshold}` };
  }
  if (age === undefined)
    return { outcome: 'inconclusive', reason: `${ageText}, so it can't be held against maxAgeMinutes` };
  if (age <= maxAgeMinutes) return { outcome: 'passed' };
  return {
    outcome: 'failed',
    reason: `the data is stale: ${ageText}, allowed are ${formatNumber(maxAgeMinutes)}`,
  };
}

/** Reads what a capture found: an anomaly in any group is a failure. */
export function judgeMetric(snapshots: readonly MetricSnapshot[]): Judgement {
  if (snapshots.length === 0) return { outcome: 'inconclusive', reason: 'the capture returned no value' };
  const anomaly = snapshots.find(
    ({ is_anomaly, status }) => is_anomaly === true || normalise(status) === 'fail',
  );
  if (anomaly !== undefined) {
    const count =
      snapshots.length === 1
        ? ''
        : ` in ${snapshots.filter(isAnomalous).length} of ${snapshots.length} groups`;
    return { outcome: 'failed', reason: `${describeValue(anomaly)} is an anomaly${count}` };
  }
  const unclear = snapshots.find(({ status }) => normalise(status) !== 'pass');
  if (unclear === undefined) return { outcome: 'passed' };
  return { outcome: 'inconclusive', reason: `the capture ended with ${describeStatus(unclear.status)}` };
}

function isAnomalous({ is_anomaly, status }: MetricSnapshot): boolean {
  return is_anomaly === true || normalise(status) === 'fail';
}

function normalise(status: unknown): string | undefined {
  return typeof status === 'string' ? status.trim().toLowerCase() : undefined;
}

function describeInvalid({ invalid_count, total_rows, invalid_percent }: ValidityCheck): string {
  const rows = typeof total_rows === 'number' ? ` of ${formatNumber(total_rows)}` : '';
  const percent = typeof invalid_percent === 'number' ? ` (${formatPercent(invalid_percent)})` : '';
  if (typeof invalid_count !== 'number') return `the check failed${percent}`;
  return `${formatNumber(invalid_count)}${rows} rows are invalid${percent}`;
}

function describeValue({ value }: MetricSnapshot): string {
  return typeof value === 'number' ? `the value ${formatNumber(value)}` : 'the missing value';
}

function describeStatus(status: unknown): string {
  return typeof status === 'string' && status !== '' ? status : 'no status';
}
