import { DataQualityClient } from 'data-quality-client';
import { gate } from 'data-quality-client/gate';
import { describe, expect, it } from 'vitest';

import { assetId, otherAssetId, setUp } from './fake.ts';

const fresh = (data_age_minutes: number) => ({
  asset: 'shop',
  status: 'fresh',
  last_updated: '2026-06-01T09:00:00Z',
  sla_threshold: '24h',
  sla_status: 'within_sla',
  checked_at: '2026-06-01T12:00:00Z',
  timestamp_column: 'at',
  data_age_minutes,
});

/** A client of a service that says this about the freshness of tables, page by page, and knows no rules. */
function clientOf(items: readonly unknown[], asked: string[] = []): DataQualityClient {
  const respond = async (request: Request): Promise<Response> => {
    const { pathname, search, searchParams } = new URL(request.url);
    asked.push(`${pathname.split('/').at(-1)}${search}`);
    const from = (Number(searchParams.get('page')) - 1) * 100;
    const data = searchParams.size === 0 ? fresh(10) : { items: items.slice(from, from + 100) };
    return Response.json({ success: true, data, message: null });
  };
  return new DataQualityClient({
    baseUrl: 'https://service.example.com',
    apiKey: 'key',
    fetch: async (input, init) => respond(new Request(input, init)),
    rateLimit: false,
  });
}

const check = async (
  client: DataQualityClient,
  expectations: readonly { assetId: string; table_path?: string; maxAgeMinutes?: number }[],
  more: object = {},
) => gate(client, assetId, { rules: false, freshness: { expectations, ...more }, throw: false });

describe('what is expected of freshness', () => {
  it('is checked for the asset and for single tables, and the asset as a whole only if that is expected', async () => {
    const asked: string[] = [];
    const client = clientOf(
      [
        { table_path: 'a.b.orders_old', freshness: fresh(0) },
        { table_path: 'a.b.orders', freshness: fresh(90) },
      ],
      asked,
    );
    const table_path = 'a.b.orders';
    const verdict = await check(client, [{ assetId, table_path, maxAgeMinutes: 60 }]);
    expect(verdict.freshness).toMatchObject([{ assetId, table_path, outcome: 'failed' }]);
    expect(verdict.reasons).toEqual([
      'freshness of a.b.orders: the data is stale: last updated 90 minutes ago (maximum 60)',
    ]);
    expect(asked).toEqual(['freshness?search_query=orders&page=1&page_size=100']);
    const both = await check(client, [
      { assetId, table_path, maxAgeMinutes: 90 },
      { assetId, maxAgeMinutes: 10 },
    ]);
    expect(both.outcome).toBe('passed');
    const least = await check(client, [{ assetId, maxAgeMinutes: 10 }], { maxAgeMinutes: 9 });
    expect(least.outcome).toBe('failed');
  });

  it.each([
    [[]],
    [[{ table_path: 'a.b.orders' }]],
    [[{ table_path: 'a.b.orders', freshness: null }]],
    [[null, 3, { freshness: fresh(0) }]],
    [[{ table_path: 'a.b.orders', freshness: { status: 'ready' } }]],
  ])('is inconclusive if the service reports %j about its tables', async (items) => {
    const verdict = await check(clientOf(items), [{ assetId, table_path: 'a.b.orders', maxAgeMinutes: 60 }]);
    expect(verdict).toMatchObject({ outcome: 'inconclusive', freshness: [{ outcome: 'inconclusive' }] });
  });

  it.each([
    [99, ['page=1']],
    [100, ['page=1', 'page=2']],
    [200, ['page=1', 'page=2', 'page=3']],
  ])('is looked for behind %d other tables', async (others, pages) => {
    const items: unknown[] = Array.from({ length: others }, (_, at) => ({ table_path: `a.b.orders_${at}` }));
    items.push({ table_path: 'a.b.orders', freshness: fresh(5) });
    const asked: string[] = [];
    const expectations = [{ assetId, table_path: 'a.b.orders', maxAgeMinutes: 60 }];
    expect((await check(clientOf(items, asked), expectations)).outcome).toBe('passed');
    expect(asked).toEqual(pages.map((page) => `freshness?search_query=orders&${page}&page_size=100`));
    const fruitless: string[] = [];
    const none = await check(clientOf(items.slice(0, -1), fruitless), expectations);
    expect(none.outcome).toBe('inconclusive');
    expect(fruitless).toEqual(asked);
  });

  it('is inconclusive for a table of which the service does not report how old it is', async () => {
    const verdict = await check(clientOf([]), [{ assetId, table_path: 'a.b.orders', maxAgeMinutes: 60 }]);
    expect(verdict.freshness).toStrictEqual([
      {
        assetId,
        table_path: 'a.b.orders',
        outcome: 'inconclusive',
        reason: 'the service does not report how old a.b.orders is',
      },
    ]);
  });

  it('is checked once for each of several assets', async () => {
    const other = 'other-asset';
    const verdict = await gate(clientOf([]), [assetId, other], {
      rules: false,
      freshness: { expectations: [{ assetId: other, maxAgeMinutes: 5 }, { assetId }] },
      throw: false,
    });
    expect(verdict.freshness.map((one) => [one.assetId, one.outcome])).toEqual([
      [assetId, 'passed'],
      [other, 'failed'],
    ]);
    expect(verdict.reasons).toHaveLength(1);
    for (const one of verdict.freshness) expect(one).not.toHaveProperty('table_path');
  });

  it.each([
    { rules: true, metrics: false },
    { rules: false, metrics: true },
  ])('need not be of every asset if %j is checked of them', async (parts) => {
    const { client } = setUp();
    const { reasons } = await gate(client, [assetId, otherAssetId], {
      ...parts,
      freshness: { expectations: [{ assetId }] },
      throw: false,
    });
    expect(reasons.filter((reason) => reason.startsWith('nothing is expected'))).toEqual([]);
  });

  it('can be waited for if it is of an asset, or not at all', async () => {
    for (const waitMs of [0, 1]) {
      const verdict = await check(clientOf([]), [{ assetId, maxAgeMinutes: 60 }], { waitMs });
      expect(verdict.outcome).toBe('passed');
    }
  });

  it('is not passed by a gate to which nothing is left to check', async () => {
    expect(await check(clientOf([]), [])).toMatchObject({ outcome: 'inconclusive' });
    const other = 'other-asset';
    const verdict = await gate(clientOf([]), [assetId, other], {
      rules: false,
      freshness: { expectations: [{ assetId }] },
      throw: false,
    });
    expect(verdict).toMatchObject({
      outcome: 'inconclusive',
      reasons: ['nothing is expected of the freshness of asset other-asset'],
    });
  });

  it.each([
    [[{ assetId: 'x' }], {}, 'expectations.0 is about the asset x, which is not checked'],
    [[{ assetId, maxAgeMinutes: 0 }], {}, 'expectations.0.maxAgeMinutes must be more than 0, not 0'],
    [[{ assetId, table_path: 'a.b.c' }], { waitMs: 1 }, 'waitMs is not possible with expectations of tables'],
  ])('is refused if it is %j with %j', async (expectations, more, message) => {
    await expect(check(clientOf([]), expectations, more)).rejects.toThrow(message);
  });
});
