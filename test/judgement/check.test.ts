import { judgeCheck, type JudgeCheckOptions, type ValidityCheckResult } from 'data-quality-client';
import { expect, test } from 'vitest';

const counts = { id: 1, total_rows: 100, invalid_count: 0, invalid_percent: 0 };

/** What may arrive, typed or not. */
function judge(result: unknown, options?: JudgeCheckOptions) {
  return judgeCheck(result as ValidityCheckResult, options);
}

test.each([
  [{ ...counts, status: 'pass' }, 'passed'],
  [{ ...counts, status: ' PASS ' }, 'passed'],
  [{ status: 'pass', total_rows: 1 }, 'passed'],
  [{ ...counts, status: 'pass', invalid_count: 100, invalid_percent: 100 }, 'passed'],
  [{ ...counts, status: 'pass', total_rows: 0 }, 'inconclusive'],
  [{ ...counts, status: 'pass', total_rows: null }, 'inconclusive'],
  [{ status: 'pass' }, 'inconclusive'],
  [{ ...counts, status: 'pass', total_rows: -1 }, 'inconclusive'],
  [{ ...counts, status: 'pass', total_rows: '100' }, 'inconclusive'],
  [{ ...counts, status: 'pass', invalid_count: -1 }, 'inconclusive'],
  [{ ...counts, status: 'pass', invalid_count: 101 }, 'inconclusive'],
  [{ ...counts, status: 'pass', invalid_percent: 100.5 }, 'inconclusive'],
  [{ ...counts, status: 'pass', invalid_percent: -0.1 }, 'inconclusive'],
  [{ ...counts, status: 'fail' }, 'failed'],
  [{ status: 'Fail' }, 'failed'],
  [{ ...counts, status: 'error' }, 'inconclusive'],
  [{ ...counts, status: 'warning' }, 'inconclusive'],
  [{ ...counts, status: '' }, 'inconclusive'],
  [{ ...counts, status: ['pass'] }, 'inconclusive'],
  [counts, 'inconclusive'],
  [null, 'inconclusive'],
  ['pass', 'inconclusive'],
])('judges %j as %s', (result, outcome) => {
  const judgement = judge(result);
  expect(judgement.outcome).toBe(outcome);
  expect(judgement.reason === undefined).toBe(outcome === 'passed');
});

test.each([
  [{ total_rows: 0 }, 'passed'],
  [{}, 'passed'],
  [{ total_rows: -1 }, 'inconclusive'],
  [{ total_rows: {} }, 'inconclusive'],
  [{ total_rows: 0, invalid_count: 1 }, 'inconclusive'],
])('with allowEmpty judges a pass with %j as %s', (fields, outcome) => {
  expect(judge({ status: 'pass', ...fields }, { allowEmpty: true }).outcome).toBe(outcome);
});

test.each([
  [{ severity: 'info' }, undefined, 'tolerated'],
  [{ severity: ' INFO ' }, 'warning', 'tolerated'],
  [{ severity: 'info' }, 'info', 'failed'],
  [{ severity: null }, 'warning', 'failed'],
  [{ severity: null }, 'critical', 'tolerated'],
  [{ severity: 'blocker' }, 'critical', 'failed'],
  [{ severity: 3 }, 'critical', 'failed'],
  [{ severity: 'info' }, 'nonsense', 'failed'],
  [undefined, 'critical', 'failed'],
])('a failed check of %j with failOn %s is %s', (rule, failOn, outcome) => {
  const options = { rule, failOn } as JudgeCheckOptions;
  expect(judge({ ...counts, status: 'fail' }, options).outcome).toBe(outcome);
});

test('a pass above the threshold that the rule shows is inconclusive', () => {
  const rule = { severity: 'critical', alert_threshold_percent: 1 };
  const result = { ...counts, status: 'pass', invalid_count: 2, invalid_percent: 2 };
  expect(judge(result, { rule })).toEqual({
    outcome: 'inconclusive',
    reason: 'the check passed, but reports 2.00 % invalid rows, above the threshold of 1 %',
  });
  expect(judge({ ...result, invalid_count: 1, invalid_percent: 1 }, { rule })).toEqual({
    outcome: 'passed',
  });
});

test.each([
  [
    { status: 'fail', total_rows: 10_000, invalid_count: 2, invalid_percent: 0.02 },
    '2 of 10,000 rows are invalid (0.02 %)',
  ],
  [{ status: 'fail', invalid_percent: 3 }, 'rows are invalid (3.00 %)'],
  [{ status: 'fail' }, 'the check failed'],
  [{ status: 'pass', total_rows: 0 }, 'the table has no rows, so nothing was checked'],
  [
    { status: 'error', error_message: 'no such column' },
    'the check ended with the status "error": no such column',
  ],
  [{ status: 4 }, 'the check ended with a status that is not a text'],
  [{}, 'the check ended with no status'],
])('explains %j', (result, reason) => {
  expect(judge(result).reason).toBe(reason);
});
