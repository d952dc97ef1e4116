import type { Freshness } from '../contract/freshness.ts';
import { asRecord, describeStatus, normalize } from './field.ts';
import { formatNumber, plural } from './number.ts';
import type { Judgement, Outcome } from './outcome.ts';

/** When data counts as fresh. */
export interface JudgeFreshnessOptions {
  /**
   * Oldest age allowed, in minutes, in addition to the threshold of the service.
   *
   * @default the threshold of the service alone
   */
  readonly maxAgeMinutes?: number | undefined;
}

/**
 * Judges the freshness of an asset. Only the status `fresh` (in any case) passes, and with `maxAgeMinutes` only at a
 * known age within it; `stale` and a greater age fail. Everything else is inconclusive: another status, an unknown
 * age, a timestamp in the future, and `fresh` beside `sla_status: 'violated'` or `is_stale: true`.
 *
 * @example
 * const { outcome, reason } = judgeFreshness(await client.freshness.get(assetId), { maxAgeMinutes: 90 });
 * if (outcome !== 'passed') console.error(outcome, reason);
 */
export function judgeFreshness(freshness: Freshness, options: JudgeFreshnessOptions = {}): Judgement {
  const { outcome, predicate } = assessFreshness(freshness, options);
  return predicate === undefined ? { outcome } : { outcome, reason: `the data is ${predicate}` };
}

/** What is to be said of the data: that it is so or so; `undefined` if it is fresh. */
export interface FreshnessAssessment {
  readonly outcome: Outcome;
  readonly predicate?: string;
}

/** Judges freshness, and puts the reason as what follows "the data is" or the name of the asset. */
export function assessFreshness(
  freshness: unknown,
  { maxAgeMinutes }: JudgeFreshnessOptions,
): FreshnessAssessment {
  const fields = asRecord(freshness);
  const status = normalize(fields['status']);
  const reported = fields['data_age_minutes'];
  const age = typeof reported === 'number' ? reported : undefined;
  if (status !== 'fresh' && status !== 'stale') {
    const said = fields['message'];
    const why = typeof said === 'string' && said !== '' ? `: ${said}` : '';
    return inDoubt(`the service reports ${describeStatus(fields['status'])}${why}`);
  }
  if (maxAgeMinutes !== undefined && age === undefined) return inDoubt('its age is unknown');
  if (status === 'stale') {
    const threshold = fields['sla_threshold'];
    const limit = typeof threshold === 'string' && threshold !== '' ? ` (threshold ${threshold})` : '';
    return { outcome: 'failed', predicate: `stale: ${describeAge(age)}${limit}` };
  }
  if (age !== undefined && age < 0) return inDoubt('its newest timestamp lies in the future');
  if (maxAgeMinutes !== undefined && !(age !== undefined && age <= maxAgeMinutes)) {
    const limit = ` (maximum ${formatNumber(maxAgeMinutes)})`;
    return { outcome: 'failed', predicate: `stale: ${describeAge(age)}${limit}` };
  }
  if (normalize(fields['sla_status']) === 'violated') {
    return inDoubt('the service reports it as fresh, and its SLA as violated');
  }
  if (fields['is_stale'] === true) return inDoubt('the service reports it as fresh, and as stale');
  return { outcome: 'passed' };
}

function describeAge(minutes: number | undefined): string {
  if (minutes === undefined) return 'its age is unknown';
  return `last updated ${plural(minutes, 'minute')} ago`;
}

function inDoubt(why: string): FreshnessAssessment {
  return { outcome: 'inconclusive', predicate: `not known to be fresh: ${why}` };
}
