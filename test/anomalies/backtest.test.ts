import { backtest } from 'data-quality-client/anomalies';
import { expect, test } from 'vitest';

import { day, start, wobble } from './series.ts';

const snapshots = (values: readonly (number | null)[], group?: Record<string, string>) =>
  values.map((value, place) => ({
    id: place,
    value,
    captured_at: new Date(start + place * day).toISOString(),
    ...(group === undefined ? {} : { group_values: group }),
  }));

test('reports how often, and on which days, a sensitivity would have raised an alarm', () => {
  const values = wobble(40);
  values[20] = 1500;
  values[30] = 600;
  const result = backtest(snapshots(values).toReversed(), { capture_interval: 'daily' });
  expect(result).toMatchObject({
    sensitivity: 1,
    judged: 35,
    anomalies: 2,
    days: ['2026-01-25', '2026-02-04'],
  });
  expect(result.points[20]).toMatchObject({ value: 1500, is_anomaly: true });
  expect(result.points[20]?.expected_upper).toBeLessThan(1500);
  expect(result.points[3]).toMatchObject({ expected_value: null, z_score: null, is_anomaly: false });
});

test('a higher sensitivity finds at least as much', () => {
  const values = wobble(60).map((value, place) => value + (place % 9 === 0 ? 25 : 0));
  const found = [0.2, 1, 5].map((sensitivity) => backtest(snapshots(values), { sensitivity }).anomalies);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(found[2]).toBeGreaterThan(found[0] ?? Infinity);
});

test('judges each group by its own history', () => {
  const north = wobble(20, 1000);
  const south = wobble(20, 10, 1);
  north[19] = 10;
  const { anomalies, points } = backtest([
    ...snapshots(north, { region: 'north' }),
    ...snapshots(south, { region: 'south' }),
  ]);
  expect(anomalies).toBe(1);
  expect(points.find(({ is_anomaly }) => is_anomaly)).toMatchObject({
    value: 10,
    group_values: { region: 'north' },
  });
});

test('leaves out captures without a value or a time', () => {
  const { points } = backtest([
    ...snapshots([1, null, 2]),
    { value: 3 },
    { value: 4, captured_at: 'yesterday' },
  ]);
  expect(points.map(({ value }) => value)).toEqual([1, 2]);
});

test.each([0, -1, Number.NaN, Infinity])('throws for a sensitivity of %d', (sensitivity) => {
  expect(() => backtest([], { sensitivity })).toThrow(
    `sensitivity must be a positive number, not ${sensitivity}`,
  );
});
