import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { FakeClock } from '../support/fake-clock.ts';
import { serve, type Served } from '../support/served.ts';

const rows = [
  { shop: 'north', price: '10', day: '2024-01-01' },
  { shop: 'north', price: '20', day: '2024-01-01' },
  { shop: 'south', price: '', day: '2024-01-02' },
  { shop: 'south', price: '-5', day: '2024-01-02' },
  { shop: '', price: 'n/a', day: '2024-01-03' },
  { shop: 'north', price: '20', day: '2024-01-03' },
  { shop: 'south', price: '2.5', day: '2024-01-03' },
] as const;

const numbers = rows.map(({ price }) => Number(price || 'none')).filter((price) => !Number.isNaN(price));

function quantile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * fraction;
  const [low = 0, high = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
}

let served: Served;
beforeAll(async () => {
  const objects = rows.map(({ shop, price, day }) => ({
    shop: shop || null,
    price: price === '' ? null : price === 'n/a' ? price : Number(price),
    day,
  }));
  served = await serve({
    'csv.csv': ['shop,price,day', ...rows.map((row) => Object.values(row).join(','))].join('\n'),
    'json.json': JSON.stringify(objects),
  });
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
});

describe.each(['csv', 'json'])('%s', (table) => {
  test.each([
    [{ metric_type: 'row_count' }, 7],
    [{ metric_type: 'null_percent', column_name: 'price' }, 100 / 7],
    [{ metric_type: 'distinct_count', column_name: 'price' }, 5],
    [{ metric_type: 'duplicate_count', column_name: 'price' }, 1],
    [{ metric_type: 'distinct_count', column_name: 'shop' }, 2],
    [{ metric_type: 'duplicate_count', column_name: 'shop' }, 4],
    [{ metric_type: 'min_value', column_name: 'price' }, -5],
    [{ metric_type: 'max_value', column_name: 'price' }, 20],
    [{ metric_type: 'avg_value', column_name: 'price' }, numbers.reduce((a, b) => a + b, 0) / numbers.length],
    [{ metric_type: 'percentile', column_name: 'price', percentile_value: 0 }, -5],
    [{ metric_type: 'percentile', column_name: 'price', percentile_value: 33 }, quantile(numbers, 0.33)],
    [{ metric_type: 'percentile', column_name: 'price', percentile_value: 50 }, quantile(numbers, 0.5)],
    [{ metric_type: 'percentile', column_name: 'price', percentile_value: 100 }, 20],
  ])('%o', async (metric, expected) => {
    const [snapshot, ...others] = await served.capture(table, metric);
    expect(others).toEqual([]);
    expect(snapshot).toMatchObject({ is_anomaly: false, status: 'PASS' });
    expect(snapshot?.['value']).toBeCloseTo(expected, 10);
  });

  test('the greatest of no numbers is null', async () => {
    expect(await served.capture(table, { metric_type: 'max_value', column_name: 'shop' })).toMatchObject([
      { value: null, status: 'ERROR', error_message: 'the column shop has no numbers' },
    ]);
  });

  test('one snapshot a group', async () => {
    const found = await served.capture(table, {
      metric_type: 'max_value',
      column_name: 'price',
      group_by_columns: ['shop', 'day'],
    });
    expect(found.map(({ value, group_values: group }) => [group, value])).toEqual([
      [{ shop: 'north', day: '2024-01-01' }, 20],
      [{ shop: 'north', day: '2024-01-03' }, 20],
      [{ shop: 'south', day: '2024-01-02' }, -5],
      [{ shop: 'south', day: '2024-01-03' }, 2.5],
      [{ shop: null, day: '2024-01-03' }, null],
    ]);
  });
});

test('a sudden change of a constant history is an anomaly, in its own group', async () => {
  const clock = new FakeClock();
  await using own = await serve({ 'a.csv': 'g,v\nx,1\ny,1\n' }, { clock });
  const base = `/api/v1/sdk/metrics/${own.assetId}`;
  const { body } = await own.call('POST', base, {
    metric_type: 'row_count',
    table_path: 'shop.main.a',
    group_by_columns: ['g'],
  });
  const path = `${base}/${String(body.data?.['id'])}`;
  for (let round = 0; round < 5; round += 1) {
    await own.call('POST', `${path}/capture`);
    clock.advance(24 * 3_600_000);
  }
  await own.folder.write('a.csv', 'g,v\nx,1\ny,1\ny,2\ny,3\n');
  const captured = await own.call('POST', `${path}/capture`);
  expect(captured.body.data?.['snapshots']).toMatchObject([
    { value: 1, is_anomaly: false, group_values: { g: 'x' } },
    { value: 3, is_anomaly: true, status: 'FAIL', group_values: { g: 'y' } },
  ]);
});

test('too many groups, or a missing column, are an error that is stored', async () => {
  const lines = Array.from({ length: 1001 }, (_, row) => row).join('\n');
  await using own = await serve({ 'a.csv': `n,v\n${lines.replaceAll(/(\d+)/g, '$1,1')}\n` });
  expect(await own.capture('a', { metric_type: 'row_count', group_by_columns: ['n'] })).toMatchObject([
    { value: null, status: 'ERROR', error_message: 'there are more than 1000 groups' },
  ]);
  expect(await own.capture('a', { metric_type: 'max_value', column_name: 'x' })).toMatchObject([
    { value: null, status: 'ERROR', error_message: 'shop.main.a has no column x; its columns are n, v' },
  ]);
});
