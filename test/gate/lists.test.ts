// A list that may be incomplete must not open the gate: the rule that fails could be the one that is missing.
import { DataQualityClient } from 'data-quality-client';
import { gate } from 'data-quality-client/gate';
import { expect, it } from 'vitest';

const assetId = '5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01';
const rules = Array.from({ length: 130 }, (_, at) => ({
  id: at,
  uuid: `v_${at}`,
  table_path: 'shop.sales.orders',
  is_active: true,
}));

interface Pages {
  readonly total?: number;
  readonly has_more?: boolean;
}

/** A client of a service with 130 rules, of which only the last fails. */
function clientOf(body: (items: readonly unknown[], offset: number) => unknown): DataQualityClient {
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { url, method } = new Request(input, init);
    const { searchParams, pathname } = new URL(url);
    const offset = Number(searchParams.get('offset') ?? 0);
    if (method === 'GET') return Response.json(body(rules.slice(offset, offset + 100), offset));
    const status = pathname.includes('v_129/') ? 'fail' : 'pass';
    return Response.json({ data: { id: 1, status, total_rows: 10, invalid_count: 0, invalid_percent: 0 } });
  };
  return new DataQualityClient({
    baseUrl: 'https://dq.test',
    apiKey: 'key',
    fetch,
    rateLimit: false,
    logLevel: 'off',
  });
}

const pages = (offset: number, { total = 130, has_more = offset < 30 }: Pages = {}) => ({
  total,
  limit: 100,
  offset,
  has_more,
});

it.each<readonly [string, (items: readonly unknown[], offset: number) => unknown, string]>([
  ['pagination beside data', (items, at) => ({ data: { items }, pagination: pages(at) }), 'failed'],
  ['pagination inside data', (items, at) => ({ data: { items, pagination: pages(at) } }), 'failed'],
  ['no pagination', (items) => ({ data: { items } }), 'failed'],
  ['a bare array in data', (items, at) => ({ data: items, pagination: pages(at) }), 'failed'],
  [
    'no more, and a larger total',
    (items, at) => ({ data: { items }, pagination: pages(at, { has_more: false }) }),
    'inconclusive',
  ],
  [
    'no more, and a far larger total',
    (items, at) => ({
      data: { items: items.slice(0, 30) },
      pagination: pages(at, { total: 1000, has_more: false }),
    }),
    'inconclusive',
  ],
  ['more that never comes', () => ({ data: { items: [] }, pagination: pages(0) }), 'inconclusive'],
  ['no list', () => ({ data: { items: 'none' } }), 'inconclusive'],
  ['a failure', () => ({ success: false, data: { items: rules.slice(0, 3) } }), 'inconclusive'],
])('%s: the gate does not open', async (_, body, outcome) => {
  for (const responseValidation of ['throw', 'off'] as const) {
    const client = clientOf(body).withOptions({ responseValidation });
    expect(await gate(client, assetId, { throw: false })).toMatchObject({ outcome });
  }
});
