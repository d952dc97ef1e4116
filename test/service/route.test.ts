import { expect, test } from 'vitest';

import { aMetric, keys, metrics, rules, serve } from './parts.ts';

async function paged(path: string) {
  const { call } = serve({});
  const { status, body } = await call('GET', path);
  return status === 200 ? (body as { pagination: { limit: number } }).pagination.limit : body;
}

test('a list has the page size of the interface, and one that is asked for up to the largest', async () => {
  expect(await paged(rules)).toBe(50);
  expect(await paged(metrics)).toBe(50);
  expect(await paged(`${rules}?limit=7`)).toBe(7);
  expect(await paged(`${rules}?limit=100`)).toBe(100);
  expect(await paged(`${rules}?limit=101`)).toBe(100);
});

test.each(['1e9', '1e1', '0x10', '1.5', '101x', '-101', '0', '', '1000&limit=2'])(
  'a page size of %j is refused, not lowered',
  async (limit) => {
    expect(await paged(`${rules}?limit=${limit}`)).toMatchObject({
      error: { code: 'VALIDATION_ERROR', details: { field: 'limit' } },
    });
  },
);

test('a history has pages of 100 by default, and of 1000 at most', async () => {
  const { call } = serve({});
  const { data } = (await call('POST', metrics, aMetric)).body as { data: { id: string } };
  for (const [query, limit] of [
    ['', 100],
    ['?limit=1000', 1000],
    ['?limit=1001', 1000],
  ] as const) {
    expect(await call('GET', `${metrics}/${data.id}/snapshots${query}`)).toMatchObject({
      body: { pagination: { limit } },
    });
  }
});

test.each([
  ['Bearer key-ro', 200],
  ['bearer   key-ro', 200],
  ['Bearer key-ro more', 401],
  ['Basic Bearer key-ro', 401],
  ['Bearerkey-ro', 401],
  ['key-ro', 401],
  ['Bearer ', 401],
])('the header Authorization: %s gets %i', async (authorization, status) => {
  const { service } = serve({});
  const response = await service(
    new Request(`https://dq.test${rules}`, { headers: { Authorization: authorization } }),
  );
  expect(response.status).toBe(status);
});

test('a read-only key reads and does not write; the others do both', async () => {
  const { call } = serve({});
  for (const [key, status] of [
    [keys.readOnly, 403],
    [keys.readWrite, 200],
    [keys.admin, 200],
  ] as const) {
    expect((await call('GET', metrics, undefined, key)).status).toBe(200);
    expect((await call('POST', metrics, aMetric, key)).status).toBe(status);
  }
});
