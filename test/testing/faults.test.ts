import { DataQualityClient } from 'data-quality-client';
import { createFakeService, type FakeService } from 'data-quality-client/testing';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const table = { table_path: 'warehouse.shop.orders', rule_type: 'NOT_NULL', column_name: 'id' } as const;

function describeFaults(
  name: string,
  baseUrl: string,
  fetchOf: (fake: FakeService) => typeof fetch | undefined,
) {
  describe(`faults ${name}`, () => {
    const fake = createFakeService({ baseUrl });
    const assetId = String(fake.assets[0]?.id);
    const list = `/api/v1/sdk/validity/${assetId}`;
    const handled = fetchOf(fake);
    const client = new DataQualityClient({
      baseUrl: fake.baseUrl,
      apiKey: fake.keys.readWrite,
      rateLimit: false,
      maxRetries: 0,
      ...(handled && { fetch: handled }),
    });
    const server = handled === undefined ? setupServer(...fake.handlers) : undefined;

    beforeAll(() => server?.listen());
    afterAll(() => server?.close());
    beforeEach(() => fake.reset());

    test('a status is an error envelope with its code, as often as asked', async () => {
      fake.failNext({ on: `GET /api/v1/sdk/validity/*`, status: 429, retryAfter: 7, times: 2 });
      expect(await client.metrics.list(assetId)).toMatchObject({ items: [] });
      for (let request = 0; request < 2; request += 1) {
        await expect(client.validity.list(assetId)).rejects.toMatchObject({
          name: 'RateLimitedError',
          retryAfterMs: 7000,
        });
      }
      expect(await client.validity.list(assetId)).toMatchObject({ items: [] });
    });

    test('a status may have a body of its own, or none', async () => {
      fake.failNext({ status: 502, body: '<html>Bad gateway</html>' });
      await expect(client.validity.list(assetId)).rejects.toMatchObject({
        status: 502,
        message: expect.stringContaining('Bad gateway') as unknown,
      });
      fake.failNext({ status: 204 });
      await expect(client.validity.list(assetId)).rejects.toMatchObject({ name: 'ResponseValidationError' });
    });

    test('a reset is a network error; the service has acted on the request only if asked', async () => {
      fake.failNext({ reset: true });
      await expect(client.validity.create(assetId, table)).rejects.toMatchObject({
        name: 'ConnectionError',
        mayHaveBeenProcessed: true,
      });
      expect((await client.validity.list(assetId)).items).toHaveLength(0);
      fake.failNext({ on: 'POST *', reset: true, processed: true });
      await expect(client.validity.create(assetId, table)).rejects.toMatchObject({ name: 'ConnectionError' });
      expect((await client.validity.list(assetId)).items).toHaveLength(1);
      expect(fake.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST', 'GET']);
    });

    test('a body of the test’s own replaces a 200', async () => {
      fake.failNext({ body: 'not json' });
      await expect(client.validity.list(assetId)).rejects.toMatchObject({ name: 'ResponseValidationError' });
      fake.failNext({ body: '<html>Log in</html>', contentType: 'text/html' });
      await expect(client.validity.list(assetId)).rejects.toMatchObject({ name: 'ResponseValidationError' });
    });

    test('a truncated response breaks off in the middle', async () => {
      fake.failNext({ on: list, truncate: true });
      await expect(client.validity.list(assetId)).rejects.toMatchObject({ name: 'ConnectionError' });
      expect(await client.validity.list(assetId)).toMatchObject({ items: [] });
    });

    test('a delay is outwaited, or given up', async () => {
      fake.failNext({ delayMs: 5 });
      expect(await client.validity.list(assetId)).toMatchObject({ items: [] });
      fake.failNext({ delayMs: 60_000 });
      await expect(client.validity.list(assetId, {}, { timeout: 20 })).rejects.toMatchObject({
        name: 'TimeoutError',
      });
      fake.failNext({ delayMs: 60_000 });
      const signal = AbortSignal.timeout(20);
      await expect(client.validity.list(assetId, {}, { signal })).rejects.toMatchObject({
        name: 'AbortError',
      });
    });

    test('a page that drifts shows items again, or none; iteration yields each once', async () => {
      const created: string[] = [];
      for (let rule = 0; rule < 6; rule += 1)
        created.push((await client.validity.create(assetId, table)).uuid);

      fake.failNext({ on: `GET ${list}`, drift: 1 });
      const drifted = await client.validity.list(assetId, { limit: 2, offset: 2 });
      expect(drifted.items.map(({ uuid }) => uuid)).toEqual(created.slice(1, 3));
      expect(drifted.pagination).toMatchObject({ total: 7, limit: 2, offset: 2 });

      const seen: string[] = [];
      for await (const { uuid } of client.validity.list(assetId, { limit: 2 })) {
        if (seen.length === 0) fake.failNext({ on: `GET ${list}`, drift: 1, times: 10 });
        seen.push(uuid);
      }
      expect(seen).toEqual(created);
    });

    test('faults come in the order they were set', async () => {
      fake.failNext({ status: 500 });
      fake.failNext({ on: 'GET *', status: 503 });
      await expect(client.validity.list(assetId)).rejects.toMatchObject({ status: 500 });
      await expect(client.validity.list(assetId)).rejects.toMatchObject({ status: 503 });
      expect(await client.validity.list(assetId)).toMatchObject({ items: [] });
    });
  });
}

describeFaults('by fetch', 'https://dq.test/prefix', (fake) => fake.fetch);
describeFaults('through MSW', 'https://msw-faults.test/prefix', () => undefined);

test('failNext refuses times < 1 and an invalid status', () => {
  const fake = createFakeService();
  expect(() => fake.failNext({ status: 500, times: 0 })).toThrow(RangeError);
  expect(() => fake.failNext({ status: 101 })).toThrow(RangeError);
});
