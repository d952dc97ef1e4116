import { DataQualityClient } from 'data-quality-client';
import { gate } from 'data-quality-client/gate';
import { createFakeService, matchers } from 'data-quality-client/testing';
import { expect, test } from 'vitest';

async function start() {
  const fake = createFakeService();
  const client = new DataQualityClient(fake.clientOptions);
  const rule = await client.validity.create(fake.asset.id, {
    rule_type: 'NOT_NULL',
    table_path: 'shop.main.orders',
    column_name: 'id',
  });
  return { fake, client, assetId: fake.asset.id, rule };
}

test('toHavePassed judges verdicts, checks, captures and freshness', async () => {
  const { fake, client, assetId, rule } = await start();
  expect(matchers.toHavePassed(await gate(client, assetId))).toMatchObject({ pass: true });
  fake.setCheckResult(rule.uuid, { total_rows: 10, invalid_count: 2 });
  for (const failed of [
    await gate(client, assetId, { throw: false }),
    await client.validity.check(assetId, rule.uuid),
  ]) {
    const result = matchers.toHavePassed(failed);
    expect(result.pass).toBe(false);
    expect(result.message()).toMatch(/^expected it to have passed, but it failed: .*2/);
  }
  fake.setCheckResult(rule.uuid, { error_message: 'no such column' });
  const unclear = matchers.toHavePassed(await client.validity.check(assetId, rule.uuid));
  expect({ pass: unclear.pass, message: unclear.message() }).toEqual({
    pass: false,
    message: expect.stringContaining('it is inconclusive'),
  });
  fake.setFreshness(assetId, { status: 'stale' });
  expect(matchers.toHavePassed(await client.freshness.get(assetId))).toMatchObject({ pass: false });
  fake.setFreshness(assetId, { status: 'fresh' });
  expect(matchers.toHavePassed(await client.freshness.get(assetId))).toMatchObject({ pass: true });
  const metric = await client.metrics.create(assetId, {
    metric_type: 'row_count',
    table_path: 'shop.main.orders',
  });
  expect(matchers.toHavePassed(await client.metrics.capture(assetId, metric.id))).toMatchObject({
    pass: true,
  });
  fake.setMetricValue(metric.id, null);
  expect(matchers.toHavePassed(await client.metrics.capture(assetId, metric.id))).toMatchObject({
    pass: false,
  });
});

test.each([{}, null, undefined, 1, 'passed', []])('toHavePassed is never true for %j', (nothing) => {
  expect(matchers.toHavePassed(nothing).pass).toBe(false);
});

test('toHaveCalled counts requests by method, path and body', async () => {
  const { fake, client, assetId, rule } = await start();
  await client.validity.check(assetId, rule.uuid, { sample_limit: 5 });
  const called = (on: string, calls = {}) => matchers.toHaveCalled(fake, on, calls).pass;
  expect(called('POST /api/v1/sdk/validity/*')).toBe(true);
  expect(called('POST /api/v1/sdk/validity/*', { times: 2 })).toBe(true);
  expect(called('POST /api/v1/sdk/validity/*', { times: 1 })).toBe(false);
  expect(called('*', { body: { sample_limit: 5 }, times: 1 })).toBe(true);
  expect(called('*', { body: { sample_limit: 6 } })).toBe(false);
  expect(called('GET *')).toBe(false);
  expect(matchers.toHaveCalled(fake, 'GET *').message()).toContain(`POST /api/v1/sdk/validity/${assetId}`);
});

test('both can be given to expect.extend', async () => {
  const { fake, client, assetId } = await start();
  const extended = expect as unknown as {
    extend(more: typeof matchers): void;
    (value: unknown): {
      toHavePassed(): void;
      toHaveCalled(on: string): void;
      not: { toHaveCalled(on: string): void };
    };
  };
  extended.extend(matchers);
  extended(await gate(client, assetId)).toHavePassed();
  extended(fake).toHaveCalled('POST *');
  extended(fake).not.toHaveCalled('DELETE *');
  expect(() => extended({ outcome: 'failed' }).toHavePassed()).toThrow('it failed');
});
