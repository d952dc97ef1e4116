import { expect, test } from 'vitest';

import { thresholdMinutes } from '../../src/contract/threshold.ts';
import { judgeFreshness } from '../../src/service/freshness.ts';
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
});
