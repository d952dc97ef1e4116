import { describe, expect, test } from 'vitest';

import { acceptanceRoute } from '../../src/service/acceptance-route.ts';
import type { CapturedValue } from '../../src/service/evaluation.ts';
import { createMemoryStore } from '../../src/testing/memory-store.ts';
import { aMetric, assetId, metrics, serve } from './parts.ts';

const day = 86_400_000;

interface Snapshot {
  readonly value: number | null;
  readonly is_anomaly: boolean;
  readonly status: string;
  readonly expected_value?: number;
  readonly group_values?: Readonly<Record<string, unknown>>;
  readonly error_message?: string;
}

/** A metric of a service whose clock and values a test sets. */
async function metricOf(definition: object = {}) {
  const clock = { ms: Date.UTC(2026, 0, 1) };
  let found: readonly CapturedValue[] | { readonly error_message: string } = [];
  const store = createMemoryStore();
  const { call } = serve({
    store,
    now: () => clock.ms,
    evaluation: { captureMetric: async () => found },
    ownRoutes: [acceptanceRoute([{ id: assetId, numericId: 7, name: 'warehouse.shop' }], store)],
  });
  const { body } = await call('POST', metrics, { ...aMetric, ...definition });
  const { id } = (body as { data: { id: string } }).data;
  const capture = async (values: typeof found): Promise<readonly Snapshot[]> => {
    found = values;
    const captured = await call('POST', `${metrics}/${id}/capture`);
    return (captured.body as { data: { snapshots: readonly Snapshot[] } }).data.snapshots;
  };
  return {
    call,
    clock,
    id,
    capture,
    /** Captures one value a day later. */
    next: async (value: number | null, more: Partial<CapturedValue> = {}) => {
      clock.ms += day;
      const [snapshot] = await capture([{ value, group_values: null, ...more }]);
      return snapshot;
    },
    /** Captures the values of the regions that are there, a day later, and returns what was found of each. */
    regions: async (values: Readonly<Record<string, number | null>>) => {
      clock.ms += day;
      const groups = Object.entries(values);
      const snapshots = await capture(groups.map(([region, value]) => ({ value, group_values: { region } })));
      return Object.fromEntries(
        snapshots.map(({ group_values, ...snapshot }) => [String(group_values?.['region']), snapshot]),
      );
    },
    accept: async () => call('POST', `/api/v1/local/metrics/${assetId}/${id}/accept`),
  };
}

const average = { metric_type: 'avg_value', column_name: 'amount' };
const byRegion = { group_by_columns: ['region'] };

describe('a capture', () => {
  test('is judged by those before it, as soon as there are five', async () => {
    const { next, call, id } = await metricOf(average);
    for (const value of [100, 101, 99, 100]) {
      expect(await next(value)).toEqual(expect.not.objectContaining({ expected_value: expect.anything() }));
    }
    expect(await next(101)).toMatchObject({ status: 'PASS', is_anomaly: false });
    expect(await next(500)).toMatchObject({
      status: 'FAIL',
      is_anomaly: true,
      expected_value: expect.closeTo(100, -1) as unknown,
    });
    const { body } = await call('GET', `${metrics}/${id}/snapshots?limit=1`);
    expect(body).toMatchObject({ data: { items: [{ z_score: expect.any(Number) as unknown }] } });
  });

  test('that found no rows after some is an anomaly at once, but a group without rows is not', async () => {
    const whole = await metricOf();
    expect(await whole.next(100)).toMatchObject({ status: 'PASS' });
    expect(await whole.next(0)).toMatchObject({ status: 'FAIL', is_anomaly: true });
    const grouped = await metricOf(byRegion);
    expect(await grouped.regions({ north: 100 })).toMatchObject({ north: { status: 'PASS' } });
    expect(await grouped.regions({ north: 0 })).toMatchObject({ north: { status: 'PASS' } });
  });

  test('without a value says why, and what comes later is not compared with it', async () => {
    const { next, capture, clock } = await metricOf(average);
    for (const value of [100, 101, 99, 100, 101]) await next(value);
    expect(await next(null)).toMatchObject({
      value: null,
      status: 'ERROR',
      is_anomaly: false,
      error_message:
        'There is no avg_value to judge: warehouse.shop.orders has no rows, or amount has no numbers',
    });
    clock.ms += day;
    expect(await capture({ error_message: 'no such table' })).toMatchObject([
      { status: 'ERROR', error_message: 'no such table' },
    ]);
    expect(await next(null, { error_message: 'not a number' })).toMatchObject({
      error_message: 'not a number',
    });
    expect(await next(500)).toMatchObject({ status: 'FAIL' });
  });

  test('has the verdict of the evaluation if that has one', async () => {
    const { next, call, id } = await metricOf(average);
    for (const value of [100, 101, 99, 100, 101]) await next(value);
    expect(await next(100, { is_anomaly: true, z_score: 7 })).toMatchObject({ status: 'FAIL' });
    expect(await next(500, { is_anomaly: false, z_score: null, status: 'WARNING' })).toMatchObject({
      is_anomaly: false,
      status: 'WARNING',
    });
    expect(await next(null, { is_anomaly: true, z_score: 9, status: 'FAIL' })).toMatchObject({
      is_anomaly: true,
      status: 'FAIL',
    });
    const { body } = await call('GET', `${metrics}/${id}/snapshots?limit=3`);
    expect(body).toMatchObject({ data: { items: [{ z_score: 9 }, { z_score: null }, { z_score: 7 }] } });
  });

  test('of a metric that was deleted meanwhile is a 404, and leaves nothing behind', async () => {
    const store = createMemoryStore();
    const { call } = serve({
      store,
      evaluation: {
        async captureMetric({ asset_id, id }) {
          await store.metrics.delete(asset_id, id);
          return [{ value: 1, group_values: null }];
        },
      },
    });
    const { body } = await call('POST', metrics, aMetric);
    const { id } = (body as { data: { id: string } }).data;
    expect(await call('POST', `${metrics}/${id}/capture`)).toMatchObject({
      status: 404,
      body: { error: { code: 'METRIC_NOT_FOUND', details: { metric_id: id } } },
    });
    expect(await store.snapshots.list(1, { limit: 1, offset: 0 })).toEqual({ items: [], total: 0 });
  });
});

describe('a group', () => {
  test('is judged by its own captures', async () => {
    const { regions } = await metricOf({ ...average, ...byRegion });
    for (const off of [0, 1, -1, 0, 1]) await regions({ north: 100 + off, south: 900 + off });
    expect(await regions({ north: 900, south: 900 })).toMatchObject({
      north: { status: 'FAIL' },
      south: { status: 'PASS' },
    });
  });

  test('that is gone counts 0 rows, until it did so seven times', async () => {
    const { regions } = await metricOf(byRegion);
    await regions({ north: 100, south: 50 });
    for (let missed = 0; missed < 7; missed += 1) {
      expect(await regions({ north: 100 })).toMatchObject({ north: { value: 100 }, south: { value: 0 } });
    }
    expect(Object.keys(await regions({ north: 100 }))).toEqual(['north']);
  });

  test('that is gone has no average, for as long as seven captures take', async () => {
    const { regions, capture, clock } = await metricOf({ ...average, ...byRegion });
    await regions({ north: 100, south: 50 });
    for (let missed = 0; missed < 7; missed += 1) {
      expect(await regions({ north: 100 })).toMatchObject({
        north: { value: 100 },
        south: {
          value: null,
          status: 'ERROR',
          error_message: 'The group is gone: no row has region = south',
        },
      });
    }
    clock.ms += 1000;
    expect(await capture([{ value: 100, group_values: { region: 'north' } }])).toHaveLength(1);
  });

  test('is not missed if the metric has no groups of its own', async () => {
    const { regions } = await metricOf();
    await regions({ north: 100, south: 50 });
    expect(Object.keys(await regions({ north: 100 }))).toEqual(['north']);
  });

  test('of two columns is named by both', async () => {
    const { capture, clock } = await metricOf({ ...average, group_by_columns: ['region', 'kind'] });
    await capture([{ value: 1, group_values: { region: 'south', kind: null } }]);
    clock.ms += day;
    expect(await capture([])).toMatchObject([
      { error_message: 'The group is gone: no row has region = south and kind = null' },
    ]);
  });
});

describe('accepting the latest capture', () => {
  test('makes a new level normal', async () => {
    const { next, accept, call, id } = await metricOf(average);
    for (const value of [100, 101, 99, 100, 101]) await next(value);
    expect(await next(500)).toMatchObject({ status: 'FAIL' });
    expect(await accept()).toMatchObject({
      status: 200,
      body: { data: { snapshots: [{ value: 500, accepted: true }] } },
    });
    expect(await next(501)).toMatchObject({ status: 'PASS' });
    const { body } = await call('GET', `${metrics}/${id}/snapshots?limit=2`);
    expect(body).toMatchObject({ data: { items: [{ value: 501 }, { value: 500, accepted: true }] } });
    expect(body).not.toMatchObject({ data: { items: [{ accepted: true }, {}] } });
  });

  test('does nothing for the captures that nobody accepted', async () => {
    const { next } = await metricOf(average);
    for (const value of [100, 101, 99, 100, 101, 500]) await next(value);
    expect(await next(501)).toMatchObject({ status: 'FAIL' });
  });

  test('makes it normal that a group is gone; when it is back, it begins again', async () => {
    const { regions, accept } = await metricOf({ ...average, ...byRegion });
    for (const off of [0, 1, -1, 0, 1]) await regions({ north: 100 + off, south: 50 + off });
    expect(await regions({ north: 100 })).toMatchObject({ south: { value: null } });
    expect(await accept()).toMatchObject({ status: 200 });
    expect(Object.keys(await regions({ north: 100 }))).toEqual(['north']);
    expect(await regions({ north: 100, south: 9000 })).toMatchObject({ south: { status: 'PASS' } });
  });

  test('needs a capture that has a value', async () => {
    const { accept, next, call, id } = await metricOf(average);
    const refused = { code: 'NOTHING_TO_ACCEPT', details: { metric_id: id } };
    const never = 'The metric was never captured: there is no value to accept';
    const failed = 'The latest capture has no value to accept: no such table';
    expect(await accept()).toMatchObject({ status: 409, body: { error: { ...refused, message: never } } });
    await next(null, { error_message: 'no such table' });
    expect(await accept()).toMatchObject({ status: 409, body: { error: { ...refused, message: failed } } });
    expect(await call('POST', `/api/v1/local/metrics/${assetId}/m_none/accept`)).toMatchObject({
      status: 404,
      body: { error: { code: 'METRIC_NOT_FOUND' } },
    });
  });
});
