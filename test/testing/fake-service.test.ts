import { DataQualityClient, isApiError } from 'data-quality-client';
import { createFakeService, type FakeServiceOptions } from 'data-quality-client/testing';
import { verifySignature } from 'data-quality-client/webhooks';
import { expect, test } from 'vitest';

const table = { table_path: 'warehouse.shop.orders' };

function start(options?: FakeServiceOptions) {
  const fake = createFakeService(options);
  const client = new DataQualityClient({
    baseUrl: fake.baseUrl,
    apiKey: fake.keys.readWrite,
    fetch: fake.fetch,
    rateLimit: false,
  });
  const assetId = String(fake.assets[0]?.id);
  const createRule = () =>
    client.validity.create(assetId, { ...table, rule_type: 'NOT_NULL', column_name: 'email' });
  const createMetric = () => client.metrics.create(assetId, { ...table, metric_type: 'row_count' });
  return { fake, client, assetId, createRule, createMetric };
}

test('a client without anything set finds a table of 100 rows, and every rule passes', async () => {
  const { client, assetId, createRule, createMetric } = start();
  const { uuid } = await createRule();
  expect(await client.validity.check(assetId, uuid)).toMatchObject({
    status: 'pass',
    total_rows: 100,
    invalid_samples: { samples: [] },
  });
  const { id } = await createMetric();
  expect(await client.metrics.capture(assetId, id)).toMatchObject({ snapshots: [{ value: 100 }] });
});

test('a check finds what was set, until it is set again', async () => {
  const { fake, client, assetId, createRule } = start();
  const { uuid } = await createRule();
  const samples = [{ row_id: 4, value: 'x' }];
  fake.setCheckResult(uuid, { total_rows: 200, invalid_count: 3, samples });
  for (let run = 0; run < 2; run += 1) {
    expect(await client.validity.check(assetId, uuid)).toMatchObject({
      status: 'fail',
      total_rows: 200,
      invalid_count: 3,
      invalid_percent: 1.5,
      invalid_samples: { samples },
    });
  }
  fake.setCheckResult(uuid, { status: 'pass', invalid_percent: 0.1, execution_duration_ms: 1234 });
  expect(await client.validity.check(assetId, uuid)).toMatchObject({
    status: 'pass',
    invalid_percent: 0.1,
    execution_duration_ms: 1234,
  });
  fake.setCheckResult(uuid, { status: 'warn' });
  expect(await client.validity.check(assetId, uuid)).toMatchObject({ status: 'warn' });
  fake.setCheckResult(uuid, { status: 'error' });
  expect(await client.validity.check(assetId, uuid)).toMatchObject({
    status: 'error',
    invalid_samples: null,
  });
  expect(await client.validity.results(assetId, uuid)).toMatchObject({ pagination: { total: 5 } });
});

test('samples alone are counted', async () => {
  const { fake, client, assetId, createRule } = start();
  const { uuid } = await createRule();
  fake.setCheckResult(uuid, {
    samples: [
      { row_id: 0, value: null },
      { row_id: 1, value: null },
    ],
  });
  expect(await client.validity.check(assetId, uuid, { sample_limit: 1 })).toMatchObject({
    status: 'fail',
    total_rows: 2,
    invalid_count: 2,
    invalid_samples: { samples: [{ row_id: 0 }] },
  });
});

test('a metric has the value that was set, and history makes an anomaly of a jump', async () => {
  const { fake, client, assetId, createMetric } = start();
  const { id } = await createMetric();
  const capture = async (value: number) => {
    fake.setMetricValue(id, value);
    const { snapshots } = await client.metrics.capture(assetId, id);
    return snapshots[0];
  };
  for (const value of [100, 101, 99, 100, 101]) {
    expect(await capture(value)).toMatchObject({ value, is_anomaly: false, status: 'PASS' });
  }
  expect(await capture(500)).toMatchObject({ value: 500, is_anomaly: true, status: 'FAIL' });
  const { items } = await client.metrics.snapshots(assetId, id, { limit: 1 });
  expect(items[0]?.z_score).toBeGreaterThan(3);
});

test('a metric may be set to groups, to nothing, and to a verdict', async () => {
  const { fake, client, assetId, createMetric } = start();
  const { id } = await createMetric();
  fake.setMetricValue(id, [
    { value: 1, group_values: { country: 'ch' } },
    { value: null, group_values: { country: 'de' } },
  ]);
  expect(await client.metrics.capture(assetId, id)).toMatchObject({
    snapshot_count: 2,
    snapshots: [
      { value: 1, group_values: { country: 'ch' } },
      { value: null, group_values: { country: 'de' } },
    ],
  });
  fake.setMetricValue(id, { value: 5, is_anomaly: true, z_score: 4.5 });
  expect(await client.metrics.capture(assetId, id)).toMatchObject({
    snapshots: [{ value: 5, is_anomaly: true, status: 'FAIL' }],
  });
  expect((await client.metrics.snapshots(assetId, id)).items[0]).toMatchObject({ z_score: 4.5 });
  fake.setMetricValue(id, null);
  expect(await client.metrics.capture(assetId, id)).toMatchObject({ snapshots: [{ value: null }] });
});

test('freshness is not configured until it is set, then agrees with what was set', async () => {
  const now = Date.UTC(2026, 0, 1, 12);
  const { fake, client, assetId } = start({ now: () => now });
  await expect(client.freshness.get(assetId)).rejects.toMatchObject({ status: 422 });
  fake.setFreshness(assetId, { status: 'stale' });
  expect(await client.freshness.get(assetId)).toMatchObject({
    status: 'stale',
    sla_status: 'violated',
    data_age_minutes: 2880,
    last_updated: '2025-12-30T12:00:00Z',
  });
  fake.setFreshness(assetId, { data_age_minutes: 30, sla_threshold: '2h' });
  expect(await client.freshness.get(assetId)).toMatchObject({
    status: 'fresh',
    sla_status: 'within_sla',
    last_updated: '2026-01-01T11:30:00Z',
  });
  fake.setFreshness(assetId, { status: 'unknown' });
  expect(await client.freshness.get(assetId)).toMatchObject({ status: 'unknown', last_updated: null });
  fake.setFreshness(assetId, null);
  await expect(client.freshness.get(assetId)).rejects.toMatchObject({ status: 422 });
});

test('requests are recorded as they came', async () => {
  const { fake, client, assetId } = start({ baseUrl: 'https://dq.test/team/' });
  await client.validity.list(assetId, { limit: 5 });
  await client.metrics.create(assetId, { ...table, metric_type: 'row_count' });
  expect(fake.requests).toEqual([
    {
      method: 'GET',
      path: `/api/v1/sdk/validity/${assetId}`,
      query: { limit: '5' },
      headers: expect.objectContaining({ authorization: 'Bearer fake-read-write' }) as unknown,
      body: undefined,
    },
    {
      method: 'POST',
      path: `/api/v1/sdk/metrics/${assetId}`,
      query: {},
      headers: expect.objectContaining({ 'content-type': 'application/json' }) as unknown,
      body: { ...table, metric_type: 'row_count' },
    },
  ]);
});

test('reset forgets state, settings, faults and requests', async () => {
  const { fake, client, assetId, createRule } = start({ tier: 'free_trial' });
  await createRule();
  fake.setFreshness(assetId, {});
  fake.failNext({ status: 500, times: 10 });
  fake.reset();
  expect(fake.requests).toEqual([]);
  expect((await client.validity.list(assetId)).items).toEqual([]);
  await expect(client.freshness.get(assetId)).rejects.toMatchObject({ status: 422 });
  expect(fake.requests).toHaveLength(2);
});

test('a tier limits each key by the clock of the test', async () => {
  const clock = { ms: 0 };
  const { client, assetId } = start({ tier: 'free_trial', now: () => clock.ms });
  const list = async () => client.validity.list(assetId, {}, { maxRetries: 0 });
  await list();
  await list();
  const error: unknown = await list().catch((reason: unknown) => reason);
  expect(isApiError(error, 'RATE_LIMITED') && error.retryAfterMs).toBe(1000);
  clock.ms += 1000;
  expect((await list()).items).toEqual([]);
});

test('several assets are kept apart', async () => {
  const other = 'b4cc2909-3f4e-4c7d-8e3f-1d9f6c1b8f22';
  const { client, assetId, createRule } = start({
    assets: ['a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11', { id: other, name: 'warehouse.other' }],
  });
  const { uuid } = await createRule();
  expect((await client.validity.list(other)).items).toEqual([]);
  await expect(client.validity.get(other, uuid)).rejects.toMatchObject({ code: 'RULE_NOT_FOUND' });
  await expect(client.validity.get(assetId, uuid)).resolves.toMatchObject({ uuid });
});

test('a signed alert has the given fields and defaults, and its signature is valid', async () => {
  const { fake } = start();
  const request = await fake.signedAlert(
    { alert: { id: 'a-1' }, event: { type: 'freshness_violation' } },
    'secret',
  );
  const text = await request.text();
  expect(request.method).toBe('POST');
  expect(await verifySignature(text, request.headers.get('X-Service-Signature'), 'secret')).toBe(true);
  expect(await verifySignature(text, request.headers.get('X-Service-Signature'), 'other')).toBe(false);
  expect(JSON.parse(text)).toMatchObject({
    event_type: 'alert.triggered',
    alert: { id: 'a-1', status: 'triggered' },
    event: { type: 'freshness_violation', asset: { asset_type: 'table' } },
    links: { alert_url: expect.stringContaining('a-1') as unknown },
  });
});
