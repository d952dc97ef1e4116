import { expect, test } from 'vitest';

import { thresholdMinutes } from '../../src/contract/threshold.ts';
import type { FreshnessReading } from '../../src/service/evaluation.ts';
import { judgeFreshness, judgeTables } from '../../src/service/freshness.ts';
import { assetId, serve } from './parts.ts';

const asset = { id: assetId, numericId: 7, name: 'warehouse.shop' };
const now = Date.UTC(2026, 5, 1, 12);

function judged(ageMs: number | null, threshold = '10h', column: string | null = 'updated_at') {
  const last_updated = ageMs === null ? null : new Date(now - ageMs).toISOString();
  const reading = { table_path: 'a.b.c', sla_threshold: threshold, timestamp_column: column, last_updated };
  return judgeFreshness(asset, reading, now);
}

const hour = 3_600_000;

test.each([
  ['90m', 90],
  ['24h', 1440],
  ['2d', 2880],
  ['1.5h', 90],
  ['24', undefined],
  ['h', undefined],
  ['-1h', undefined],
  ['1w', undefined],
  ['1h ', undefined],
])('the threshold %j is %j minutes', (text, minutes) => {
  expect(thresholdMinutes(text)).toBe(minutes);
});

test.each([
  ['new', 0, 'fresh', 'within_sla', 0],
  ['at 80 %', 8 * hour, 'fresh', 'within_sla', 480],
  ['just over 80 %', 8 * hour + 1, 'fresh', 'warning', 480],
  ['at the threshold', 10 * hour, 'fresh', 'warning', 600],
  ['just over the threshold', 10 * hour + 1, 'stale', 'violated', 600],
  ['of the near future', -hour / 12, 'fresh', 'within_sla', 0],
  ['of the future', -hour / 11, 'unknown', null, null],
])('data %s', (_, age, status, sla_status, data_age_minutes) => {
  expect(judged(age)).toMatchObject({ status, sla_status, data_age_minutes, asset: 'warehouse.shop' });
});

test('no data, or no timestamp column, is unknown', () => {
  const unknown = { status: 'unknown', sla_status: null, last_updated: null, data_age_minutes: null };
  expect(judged(null)).toMatchObject(unknown);
  expect(judged(hour, '10h', null)).toMatchObject({ ...unknown, timestamp_column: null });
});

test('a threshold that cannot be read is unknown, not fresh', () => {
  expect(judged(hour, 'soon')).toMatchObject({
    status: 'unknown',
    sla_status: null,
    data_age_minutes: 60,
    last_updated: '2026-06-01T11:00:00Z',
  });
});

const orders = readingOf('a.b.orders', '2026-06-01T11:00:00Z');

function readingOf(table_path: string, last_updated: string | null): FreshnessReading {
  return { table_path, sla_threshold: '10h', timestamp_column: 'at', last_updated };
}

test.each([
  ['without a column', { timestamp_column: null }, /no timestamp_column is configured/],
  ['without times', { last_updated: null }, /the timestamp column has no times/],
  ['from the future', { last_updated: '2026-06-01T13:00:00Z' }, /the newest time is in the future/],
  ['with a message of its own', { last_updated: null, message: 'no such table' }, /^no such table$/],
])('a table %s says why its freshness is unknown', (_, odd, message) => {
  expect(judgeTables(asset, [{ ...orders, ...odd }], now)).toEqual([
    expect.objectContaining({ message: expect.stringMatching(message) as unknown }),
  ]);
});

test('a table whose freshness is known has nothing to explain', () => {
  expect(judgeTables(asset, [orders], now)).toEqual([expect.objectContaining({ message: null })]);
});

test('of several tables the stale ones come first, then the unknown, and of each the oldest', () => {
  const readings = [
    readingOf('fresh, new', '2026-06-01T11:00:00Z'),
    readingOf('unknown', null),
    readingOf('stale, newer', '2026-06-01T01:00:00Z'),
    readingOf('fresh, older', '2026-06-01T08:00:00Z'),
    readingOf('stale, oldest', '2026-05-01T00:00:00Z'),
  ];
  for (const order of [readings, readings.toReversed()]) {
    expect(judgeTables(asset, order, now).map(({ table_path }) => table_path)).toEqual([
      'stale, oldest',
      'stale, newer',
      'unknown',
      'fresh, older',
      'fresh, new',
    ]);
  }
});

test('the freshness of an asset is that of its worst table, whatever the order, or 422 without any', async () => {
  const old = {
    ...orders,
    table_path: 'a.b.old',
    last_updated: '2026-05-01T00:00:00Z',
    message: 'rows were left out',
  };
  const path = `/api/v1/assets/${assetId}/freshness`;
  const { call } = serve({ now: () => now, evaluation: { freshness: async () => [orders, old] } });
  expect((await call('GET', path)).body).toMatchObject({
    success: true,
    data: { status: 'stale', data_age_minutes: 31 * 24 * 60 + 12 * 60 },
    message: 'rows were left out',
  });
  expect(await serve({}).call('GET', path)).toMatchObject({
    status: 422,
    body: { error: { code: 'FRESHNESS_NOT_CONFIGURED', details: { asset_id: assetId } } },
  });
});

test('timestamps are whole seconds in UTC', () => {
  expect(judged(hour)).toMatchObject({
    last_updated: '2026-06-01T11:00:00Z',
    checked_at: '2026-06-01T12:00:00Z',
  });
});

test('the overview lists every table, filtered and in pages', async () => {
  const { call } = serve({
    now: () => now,
    evaluation: {
      freshness: async () => [
        {
          table_path: 'warehouse.sales.orders',
          sla_threshold: '1h',
          timestamp_column: 'at',
          last_updated: '2026-06-01T09:00:00Z',
        },
      ],
      tables: async () => ['warehouse.sales.orders', 'warehouse.sales.items', 'warehouse.hr.people'],
    },
  });
  const names = async (query: string) => {
    const { body } = await call('GET', `/api/v1/assets/${assetId}/freshness?${query}`);
    const { data, meta } = body as {
      data: { items: { name: string }[] };
      meta: { total: number; total_pages: number };
    };
    return [data.items.map(({ name }) => name), meta.total, meta.total_pages];
  };
  expect(await names('page=1')).toEqual([['orders', 'items', 'people'], 3, 1]);
  expect(await names('page=2&page_size=2')).toEqual([['people'], 3, 2]);
  expect(await names('status_filters=not_ready')).toEqual([['orders'], 1, 1]);
  expect(await names('status_filters=ready, unknown')).toEqual([['items', 'people'], 2, 1]);
  expect(await names('schema_filters=hr')).toEqual([['people'], 1, 1]);
  expect(await names('schema_filters=hr&schema_filters=sales')).toEqual([
    ['orders', 'items', 'people'],
    3,
    1,
  ]);
  expect(await names('tag_filters=gold')).toEqual([[], 0, 0]);
  expect(await names('search_query=ITEM')).toEqual([['items'], 1, 1]);
  expect(await names('search_query=2024')).toEqual([[], 0, 0]);
  expect(await names('status_filters=')).toEqual([['orders', 'items', 'people'], 3, 1]);
  expect(await names('status_filters=,not_ready,')).toEqual([['orders'], 1, 1]);
  const { body } = await call('GET', `/api/v1/assets/${assetId}/freshness?page=1`);
  expect(body).toMatchObject({
    data: { items: [{ freshness: { status: 'stale', data_age_minutes: 180 } }, { freshness: null }, {}] },
  });
});
