import { type CapturedSnapshots, judgeCapture, type JudgeCaptureOptions } from 'data-quality-client';
import { expect, test } from 'vitest';

const good = { id: 1, value: 5, is_anomaly: false, status: 'PASS' };
const anomalous = { id: 2, value: 1900, is_anomaly: true, status: 'FAIL' };

/** What may arrive, typed or not. */
function judge(capture: unknown, options?: JudgeCaptureOptions) {
  return judgeCapture(capture as CapturedSnapshots, options);
}

test.each([
  [{ snapshots: [good] }, 'passed'],
  [{ snapshot_count: 2, snapshots: [good, { ...good, status: ' pass ' }] }, 'passed'],
  [{ snapshot_count: null, snapshots: [{ value: 0, status: 'PASS' }] }, 'passed'],
  [{ snapshots: [good, anomalous] }, 'failed'],
  [{ snapshots: [{ ...good, is_anomaly: true }] }, 'failed'],
  [{ snapshots: [{ ...good, status: 'Fail' }] }, 'failed'],
  [{ snapshot_count: 5, snapshots: [anomalous] }, 'failed'],
  [{ snapshots: [{ ...anomalous, value: null }] }, 'failed'],
  [{ snapshots: [{ ...good, value: null }] }, 'inconclusive'],
  [{ snapshots: [good, { ...good, value: '5' }] }, 'inconclusive'],
  [{ snapshots: [{ ...good, status: 'WARNING' }] }, 'inconclusive'],
  [{ snapshots: [{ ...good, status: 'ERROR' }] }, 'inconclusive'],
  [{ snapshots: [{ ...good, status: 'NEW' }] }, 'inconclusive'],
  [{ snapshots: [{ ...good, status: null }] }, 'inconclusive'],
  [{ snapshots: [{ ...good, is_anomaly: 'true' }] }, 'inconclusive'],
  [{ snapshots: [good, null] }, 'inconclusive'],
  [{ snapshot_count: 2, snapshots: [good] }, 'inconclusive'],
  [{ snapshot_count: 0, snapshots: [good] }, 'inconclusive'],
  [{ snapshot_count: 0, snapshots: [] }, 'inconclusive'],
  [{ snapshots: [] }, 'inconclusive'],
  [{ snapshots: { 0: good, length: 1 } }, 'inconclusive'],
  [{}, 'inconclusive'],
  [null, 'inconclusive'],
])('judges %j as %s', (capture, outcome) => {
  const judgement = judge(capture);
  expect(judgement.outcome).toBe(outcome);
  expect(judgement.reason === undefined).toBe(outcome === 'passed');
});

test.each([
  ['row_count', false, 'inconclusive'],
  ['ROW_COUNT', undefined, 'inconclusive'],
  ['row_count', true, 'passed'],
  ['null_percent', false, 'passed'],
])('judges a %s of 0 with allowEmpty %s as %s', (metric_type, allowEmpty, outcome) => {
  const capture = { snapshots: [{ ...good, value: 0 }] };
  expect(judge(capture, { metric: { metric_type }, allowEmpty }).outcome).toBe(outcome);
});

test('a table with rows in any group is not empty', () => {
  const capture = { snapshots: [{ ...good, value: 0 }, good] };
  expect(judge(capture, { metric: { metric_type: 'row_count' } })).toEqual({ outcome: 'passed' });
});

test.each([
  [{ snapshots: [anomalous] }, 'the value 1,900 is an anomaly'],
  [{ snapshots: [good, anomalous, good] }, 'the value 1,900 is an anomaly in 1 of 3 groups'],
  [{ snapshots: [] }, 'the capture returned no value'],
  [{ snapshot_count: 2, snapshots: [good] }, 'the capture announced 2 snapshots and returned 1'],
  [{ snapshots: [{ ...good, status: 'WARNING' }] }, 'the capture ended with the status "WARNING"'],
])('explains %j', (capture, reason) => {
  expect(judge(capture).reason).toBe(reason);
});
