import { type Freshness, judgeFreshness } from 'data-quality-client';
import { expect, test } from 'vitest';

/** What may arrive, typed or not. */
function judge(freshness: unknown, maxAgeMinutes?: number) {
  return judgeFreshness(freshness as Freshness, { maxAgeMinutes });
}

test.each([
  [{ status: 'fresh' }, undefined, 'passed'],
  [{ status: ' Fresh ' }, undefined, 'passed'],
  [{ status: 'fresh', data_age_minutes: 0 }, 90, 'passed'],
  [{ status: 'fresh', data_age_minutes: 90 }, 90, 'passed'],
  [{ status: 'fresh', data_age_minutes: 90.1 }, 90, 'failed'],
  [{ status: 'fresh', data_age_minutes: 5000, sla_status: 'warning' }, undefined, 'passed'],
  [{ status: 'fresh', is_stale: false, sla_status: 'within_sla' }, undefined, 'passed'],
  [{ status: 'fresh' }, 90, 'inconclusive'],
  [{ status: 'fresh', data_age_minutes: '5' }, 90, 'inconclusive'],
  [{ status: 'fresh', data_age_minutes: -1 }, undefined, 'inconclusive'],
  [{ status: 'fresh', data_age_minutes: -40_000_000 }, 120, 'inconclusive'],
  [{ status: 'fresh', sla_status: ' Violated ' }, undefined, 'inconclusive'],
  [{ status: 'fresh', data_age_minutes: 95, sla_status: 'violated' }, 90, 'failed'],
  [{ status: 'fresh', is_stale: true }, undefined, 'inconclusive'],
  [{ status: 'stale' }, undefined, 'failed'],
  [{ status: 'STALE', data_age_minutes: 5 }, 90, 'failed'],
  [{ status: 'stale' }, 90, 'inconclusive'],
  [{ status: 'delayed', data_age_minutes: 5 }, 90, 'inconclusive'],
  [{ status: 'disabled', data_age_minutes: 5 }, 90, 'inconclusive'],
  [{ status: 'error', data_age_minutes: 5 }, 90, 'inconclusive'],
  [{ status: 'unknown', data_age_minutes: 5 }, 90, 'inconclusive'],
  [{ status: null, data_age_minutes: 5 }, 90, 'inconclusive'],
  [{ status: ['fresh'] }, undefined, 'inconclusive'],
  [{}, undefined, 'inconclusive'],
  [null, undefined, 'inconclusive'],
  [[], undefined, 'inconclusive'],
])('judges %j with at most %s minutes as %s', (freshness, maxAgeMinutes, outcome) => {
  const judgement = judge(freshness, maxAgeMinutes);
  expect(judgement.outcome).toBe(outcome);
  expect(judgement.reason === undefined).toBe(outcome === 'passed');
});

test.each([
  [
    { status: 'fresh', data_age_minutes: 1095 },
    90,
    'the data is stale: last updated 1,095 minutes ago (maximum 90)',
  ],
  [
    { status: 'stale', data_age_minutes: 1, sla_threshold: '30s' },
    undefined,
    'the data is stale: last updated 1 minute ago (threshold 30s)',
  ],
  [{ status: 'stale' }, undefined, 'the data is stale: its age is unknown'],
  [
    { status: 'delayed' },
    undefined,
    'the data is not known to be fresh: the service reports the status "delayed"',
  ],
  [
    { status: 'unknown', message: 'there is no table orders' },
    undefined,
    'the data is not known to be fresh: the service reports the status "unknown": there is no table orders',
  ],
])('explains %j with at most %s minutes', (freshness, maxAgeMinutes, reason) => {
  expect(judge(freshness, maxAgeMinutes).reason).toBe(reason);
});
