import { describe, expect, test } from 'vitest';

import { FakeClock } from '../support/fake-clock.ts';
import { serve } from '../support/served.ts';

const day = 86_400_000;

type Snapshot = Readonly<Record<string, unknown>>;

/** A table that a test writes and captures day by day. */
async function table(metric: Readonly<Record<string, unknown>>) {
  const clock = new FakeClock();
  const served = await serve({ 'orders.csv': 'region,amount\n' }, { clock });
  const base = `/api/v1/sdk/metrics/${served.assetId}`;
  const { body } = await served.call('POST', base, { table_path: 'shop.main.orders', ...metric });
  const id = String(body.data?.['id']);
  // Its schedule would capture beside the test whenever a day has passed.
  await served.call('PATCH', `${base}/${id}`, { is_active: false });
  const capture = async (lines: readonly string[]) => {
    await served.folder.write('orders.csv', ['region,amount', ...lines, ''].join('\n'));
    const { body: captured } = await served.call('POST', `${base}/${id}/capture`);
    return captured.data?.['snapshots'] as readonly Snapshot[];
  };
  return {
    capture,
    nextDay: async (lines: readonly string[]) => {
      clock.advance(day);
      return capture(lines);
    },
    accept: async () => served.call('POST', `/api/v1/local/metrics/${served.assetId}/${id}/accept`),
    list: async () =>
      (await served.call('GET', `${base}/${id}/snapshots`)).body.data?.['items'] as Snapshot[],
    [Symbol.asyncDispose]: served[Symbol.asyncDispose],
  };
}

const rows = (count: number, region = 'north') =>
  Array.from({ length: count }, (_, row) => `${region},${row}`);

test('an emptied table is an anomaly however often it is captured, also if it grew steadily', async () => {
  await using orders = await table({ metric_type: 'row_count' });
  for (let past = 0; past < 8; past += 1) await orders.nextDay(rows(1000 + past * 100));
  for (let again = 0; again < 12; again += 1) {
    const captured = await (again % 4 === 0 ? orders.nextDay([]) : orders.capture([]));
    expect(captured).toMatchObject([{ value: 0, is_anomaly: true, status: 'FAIL' }]);
  }
  expect(await orders.nextDay(rows(1800))).toMatchObject([{ value: 1800, status: 'PASS' }]);
});

test('a halved table is an anomaly however often it is captured, and each snapshot has its band', async () => {
  await using orders = await table({ metric_type: 'row_count' });
  for (const count of [100, 101, 99, 100, 102, 100]) await orders.nextDay(rows(count));
  const first = await orders.nextDay(rows(50));
  for (let again = 0; again < 10; again += 1) {
    expect(await orders.capture(rows(50))).toMatchObject([{ value: 50, is_anomaly: true }]);
  }
  expect(first).toMatchObject([{ expected_value: expect.closeTo(100, -1) }]);
  expect(Number(first[0]?.['expected_lower'])).toBeGreaterThan(50);
  expect(Number(first[0]?.['expected_upper'])).toBeGreaterThan(100);
  const [listed] = await orders.list();
  expect(listed).toMatchObject({ value: 50, expected_value: expect.closeTo(100, -1) });
  expect(listed).not.toHaveProperty('teaches');
});

test('a new level is normal as soon as it is accepted', async () => {
  await using orders = await table({ metric_type: 'row_count' });
  expect(await orders.accept()).toMatchObject({
    status: 409,
    body: { error: { code: 'NOTHING_TO_ACCEPT', message: expect.stringContaining('never captured') } },
  });
  for (const count of [100, 101, 99, 100, 102, 100]) await orders.nextDay(rows(count));
  expect(await orders.nextDay(rows(50))).toMatchObject([{ is_anomaly: true }]);
  expect(await orders.accept()).toMatchObject({
    status: 200,
    body: { data: { snapshots: [{ value: 50, accepted: true }] } },
  });
  expect(await orders.capture(rows(50))).toMatchObject([{ is_anomaly: false, status: 'PASS' }]);
  expect(await orders.nextDay(rows(51))).toMatchObject([{ is_anomaly: false }]);
  expect(await orders.nextDay(rows(100))).toMatchObject([{ is_anomaly: true }]);
});

test('one more row in a constant table is not an anomaly', async () => {
  await using orders = await table({ metric_type: 'row_count' });
  for (let past = 0; past < 8; past += 1) await orders.nextDay(rows(195));
  for (let later = 0; later < 4; later += 1) {
    expect(await orders.nextDay(rows(196))).toMatchObject([{ is_anomaly: false }]);
  }
});

test.each(['avg_value', 'min_value', 'max_value'])(
  '%s without a number is an error that says why',
  async (type) => {
    await using orders = await table({ metric_type: type, column_name: 'region' });
    expect(await orders.capture(rows(3))).toMatchObject([
      {
        value: null,
        status: 'ERROR',
        is_anomaly: false,
        error_message: 'the column region has no numbers',
      },
    ]);
    expect(await orders.accept()).toMatchObject({ status: 409 });
  },
);

describe('a group that is gone', () => {
  const both = [...rows(10), ...rows(20, 'south')];

  test('counts 0, which is an anomaly until it has become normal', async () => {
    await using orders = await table({ metric_type: 'row_count', group_by_columns: ['region'] });
    for (let past = 0; past < 6; past += 1) await orders.nextDay(both);
    expect(await orders.nextDay(rows(10))).toMatchObject([
      { value: 10, group_values: { region: 'north' }, is_anomaly: false },
      { value: 0, group_values: { region: 'south' }, is_anomaly: true, status: 'FAIL' },
    ]);
    for (let later = 0; later < 7; later += 1) await orders.nextDay(rows(10));
    expect(await orders.nextDay(rows(10))).toMatchObject([{ group_values: { region: 'north' } }]);
  });

  test('has no value of another metric, until its end is accepted', async () => {
    await using orders = await table({
      metric_type: 'max_value',
      column_name: 'amount',
      group_by_columns: ['region'],
    });
    for (let past = 0; past < 6; past += 1) await orders.nextDay(both);
    expect(await orders.nextDay(rows(10))).toMatchObject([
      { value: 9, status: 'PASS' },
      {
        value: null,
        status: 'ERROR',
        group_values: { region: 'south' },
        error_message: 'The group is gone: no row has region = south',
      },
    ]);
    expect(await orders.accept()).toMatchObject({ status: 200 });
    expect(await orders.nextDay(rows(10))).toMatchObject([{ group_values: { region: 'north' } }]);
  });
});
