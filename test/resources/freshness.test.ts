import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { StaleDataError } from '../../src/index.ts';
import { assetId, createClient, useService } from './service.ts';

const service = useService();
const client = createClient();
const path = `/api/v1/assets/${assetId}/freshness`;

// The interface document, typed by hand.
const fresh = {
  asset: 'warehouse.sales.orders',
  status: 'fresh',
  last_updated: '2026-03-01T07:30:00Z',
  sla_threshold: '24h',
  sla_status: 'within_sla',
  checked_at: '2026-03-01T08:00:00Z',
  timestamp_column: 'updated_at',
  data_age_minutes: 30,
};
const envelope = (data: unknown): object => ({ success: true, data, message: null, meta: {} });

test('get', async () => {
  service.answer(envelope(fresh));

  expect(await client.freshness.get(assetId)).toEqual(fresh);
  service.expectRequest({ method: 'GET', path });
});

test('get keeps what it does not know', async () => {
  const odd = { status: 'pending', data_age_minutes: null, sla_threshold: null, tables: 3 };
  service.answer(envelope(odd));
  expect(await client.freshness.get(assetId)).toEqual(odd);
});

test('get returns why the freshness is unknown, which is beside it in the envelope', async () => {
  const unknown = { ...fresh, status: 'unknown', data_age_minutes: null };
  service.answer({ ...envelope(unknown), message: 'there is no table orders' });
  expect(await client.freshness.get(assetId)).toEqual({ ...unknown, message: 'there is no table orders' });

  service.answer({ ...envelope({ ...unknown, message: 'its own' }), message: 'another' });
  expect(await client.freshness.get(assetId)).toMatchObject({ message: 'its own' });
});

test('get takes a qualified name for an asset, as one segment of the path', async () => {
  service.answer(envelope(fresh));
  expect(await client.freshness.get('warehouse.sales/orders')).toEqual(fresh);
  service.expectRequest({ method: 'GET', path: '/api/v1/assets/warehouse.sales%2Forders/freshness' });
});

test('an envelope that reports no success is an error', async () => {
  const error = { code: 'ASSET_NOT_FOUND', message: 'no such asset', details: { asset_id: assetId } };
  service.answer({ success: false, data: null, message: null, error });

  await expect(client.freshness.get(assetId)).rejects.toMatchObject({
    name: 'AssetNotFoundError',
    code: 'ASSET_NOT_FOUND',
    details: { asset_id: assetId },
    status: 200,
  });
});

test.each([
  [{ success: false, error: 'the warehouse sleeps' }, 'the warehouse sleeps'],
  [{ success: false, message: 'the warehouse sleeps' }, 'the warehouse sleeps'],
  [{ success: false }, 'the response says that the call failed'],
])('an envelope that reports no success says why: %j', async (body, message) => {
  service.answer(body);
  await expect(client.freshness.get(assetId)).rejects.toMatchObject({
    code: 'UNSUCCESSFUL',
    message: expect.stringContaining(message),
  });
});

test('overview', async () => {
  const whole = { success: true, data: [{ table: 'orders' }], message: 'ok', meta: { page: 2 }, extra: 1 };
  service.answer(whole);

  const overview = await client.freshness.overview(assetId, {
    page: 2,
    page_size: 100,
    status_filters: ['ready', 'not_ready'],
    schema_filters: ['sales', 'a&b'],
    tag_filters: 'gold',
    search_query: 'ord er',
  });
  expect(overview).toEqual(whole);
  service.expectRequest({
    method: 'GET',
    path,
    query:
      'page=2&page_size=100&status_filters=ready%2Cnot_ready&schema_filters=sales%2Ca%26b&tag_filters=gold&search_query=ord+er',
  });
});

test.each([
  ['page', { page: 0 }],
  ['page_size', { page_size: 101 }],
  ['schema_filters', { schema_filters: ['a,b'] }],
])('overview refuses a wrong %s', async (named, query) => {
  await expect(client.freshness.overview(assetId, query)).rejects.toMatchObject({
    name: 'InvalidRequestError',
    message: expect.stringContaining(named),
  });
  expect(service.requests).toHaveLength(0);
});

describe('requireFresh', () => {
  test('returns fresh data', async () => {
    service.answer(envelope(fresh));
    expect(await client.freshness.requireFresh(assetId)).toEqual(fresh);
  });

  test.each([
    ['stale', { ...fresh, status: 'stale', data_age_minutes: 1500 }, {}, 1500, undefined],
    ['STALE', { ...fresh, status: 'STALE' }, {}, 30, undefined],
    ['unknown', { status: 'unknown' }, {}, undefined, undefined],
    ['unknown, whatever its age', { ...fresh, status: 'Unknown' }, { maxAgeMinutes: 60 }, 30, 60],
    ['older than allowed', fresh, { maxAgeMinutes: 29 }, 30, 29],
    ['of unknown age', { status: 'fresh' }, { maxAgeMinutes: 29 }, undefined, 29],
    ['nothing at all', {}, {}, undefined, undefined],
  ])('throws for data that is %s', async (_, freshness, options, ageMinutes, thresholdMinutes) => {
    service.answer(envelope(freshness));
    const error: unknown = await client.freshness
      .requireFresh(assetId, options)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StaleDataError);
    expect(error).toMatchObject({ code: 'STALE_DATA', freshness, ageMinutes, thresholdMinutes });
  });

  test('returns data exactly as old as allowed', async () => {
    service.answer(envelope(fresh));
    expect(await client.freshness.requireFresh(assetId, { maxAgeMinutes: 30 })).toEqual(fresh);
  });

  test('throws for data that the service calls stale, even within maxAgeMinutes', async () => {
    service.answer(envelope({ ...fresh, status: 'stale' }));
    await expect(client.freshness.requireFresh(assetId, { maxAgeMinutes: 90 })).rejects.toMatchObject({
      outcome: 'failed',
      message: 'Asset "warehouse.sales.orders" is stale: last updated 30 minutes ago (threshold 24h).',
    });
  });

  test.each([
    [
      { ...fresh, asset: 'orders', data_age_minutes: 95 },
      'Asset "orders" is stale: last updated 95 minutes ago (maximum 90).',
    ],
    [
      { ...fresh, asset: null, status: 'delayed' },
      `Asset "${assetId}" is not known to be fresh: the service reports the status "delayed".`,
    ],
    [
      { ...fresh, asset: 'orders', data_age_minutes: -5 },
      'Asset "orders" is not known to be fresh: its newest timestamp lies in the future.',
    ],
  ])('explains the refusal of %j', async (freshness, message) => {
    service.answer(envelope(freshness));
    await expect(client.freshness.requireFresh(assetId, { maxAgeMinutes: 90 })).rejects.toMatchObject({
      message,
    });
  });

  test('says whether the data is stale or its freshness is unknown', async () => {
    service.answer(envelope({ ...fresh, status: 'delayed', data_age_minutes: '30' }));
    const lax = createClient({ responseValidation: 'off' });
    await expect(lax.freshness.requireFresh(assetId)).rejects.toMatchObject({
      outcome: 'inconclusive',
      ageMinutes: undefined,
    });
  });

  test('compares the status without regard to case', async () => {
    service.answer(envelope({ status: 'FRESH' }));
    expect(await client.freshness.requireFresh(assetId)).toEqual({ status: 'FRESH' });
  });

  test('includes the response', async () => {
    service.answer(envelope(fresh), 200, { 'x-request-id': 'r1' });
    const { data, meta } = await client.freshness.requireFresh(assetId).withResponse();
    expect(data).toEqual(fresh);
    expect(meta.headers.get('x-request-id')).toBe('r1');
  });

  test.each([0, -1, Number.NaN, '5'])('refuses maxAgeMinutes: %s', async (maxAgeMinutes) => {
    await expect(
      client.freshness.requireFresh(assetId, { maxAgeMinutes: maxAgeMinutes as number }),
    ).rejects.toMatchObject({
      name: 'InvalidRequestError',
      message: expect.stringContaining('maxAgeMinutes'),
    });
    expect(service.requests).toHaveLength(0);
  });

  test.each([null, 5, 'x', { status: { toString: 1 }, asset: [] }])(
    'treats an unvalidated response as stale: %j',
    async (data) => {
      service.answer(envelope(data));
      const lax = createClient({ responseValidation: 'off' });
      await expect(lax.freshness.requireFresh(assetId)).rejects.toBeInstanceOf(StaleDataError);
    },
  );
});

describe('waitUntilFresh', () => {
  const stale = { status: 'stale', data_age_minutes: 61 };
  let looks: unknown[];
  const looking = createClient({
    fetch: async () => Response.json(envelope(looks.length > 1 ? looks.shift() : looks[0])),
  });

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('looks until the data is fresh', async () => {
    looks = [stale, { status: 'unknown' }, fresh];
    const start = performance.now();
    const waiting = looking.freshness.waitUntilFresh(assetId, { interval: 60_000 });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await waiting).toEqual(fresh);
    expect(performance.now() - start).toBe(120_000);
  });

  test('gives up when its time is over, with the last response', async () => {
    looks = [stale];
    const waiting = looking.freshness.waitUntilFresh(assetId, { interval: 60_000, timeout: 90_000 });
    const outcome = waiting.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(90_000);
    expect(await outcome).toMatchObject({ name: 'StaleDataError', freshness: stale, ageMinutes: 61 });
  });

  test('ends at once when its signal aborts', async () => {
    looks = [stale];
    const controller = new AbortController();
    const reason = new Error('the pipeline was stopped');
    const waiting = looking.freshness.waitUntilFresh(assetId, {}, { signal: controller.signal });
    const outcome = waiting.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10);
    controller.abort(reason);
    expect(await outcome).toMatchObject({ name: 'AbortError', cause: reason, mayHaveBeenProcessed: false });
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ['interval', { interval: 0 }],
    ['interval', { interval: 2 ** 31 }],
    ['timeout', { timeout: -1 }],
    ['maxAgeMinutes', { maxAgeMinutes: 0 }],
  ])('refuses a wrong %s', async (named, options) => {
    looks = [fresh];
    await expect(looking.freshness.waitUntilFresh(assetId, options)).rejects.toMatchObject({
      name: 'InvalidRequestError',
      message: expect.stringContaining(named),
    });
  });
});
