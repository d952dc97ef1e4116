import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';

import { DataQualityClient, InvalidRequestError } from '../../src/index.ts';
import { assetId, connect, rejection, skipBackOff } from '../support/connect.ts';
import { answers, gives, resets, startServer } from '../support/server.ts';

skipBackOff();

/** A client whose requests end up in a list instead of the network. */
function record(baseUrl: string): { client: DataQualityClient; urls: string[] } {
  const urls: string[] = [];
  const client = new DataQualityClient({
    apiKey: 'k',
    baseUrl,
    rateLimit: false,
    fetch: async (input, init) => {
      urls.push(new Request(input, init).url);
      return Response.json({ data: { id: 1, uuid: 'v_1', success: true, items: [], snapshots: [] } });
    },
  });
  return { client, urls };
}

const anyString = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', 'f', '?', '#', ' ', '\n', '{', '}', ':', '@', ';'),
  }),
  fc.constantFrom(
    '.',
    '..',
    '%2e',
    '%2e%2e',
    '../x',
    '..%2f',
    '/',
    '//evil.example',
    '\\',
    '{rule_id}',
    '\ud800',
  ),
);

describe('an id', () => {
  test('never changes the shape of the path, whatever it contains', async () => {
    const { client, urls } = record('https://dq.test/prefix/');
    await fc.assert(
      fc.asyncProperty(anyString, anyString, async (asset, rule) => {
        urls.length = 0;
        const outcome: unknown = await client.validity.check(asset, rule).catch((error: unknown) => error);
        if (outcome instanceof InvalidRequestError && urls.length === 0) return;
        const [url = ''] = urls;
        const { origin, pathname, search, hash } = new URL(url);
        expect([origin, search, hash]).toEqual(['https://dq.test', '', '']);
        const segments = pathname.split('/');
        expect(segments.map((segment) => decodeURIComponent(segment))).toEqual([
          '',
          'prefix',
          'api',
          'v1',
          'sdk',
          'validity',
          asset,
          rule,
          'check',
        ]);
        // Whatever decodes the path once more finds no other segments either.
        expect(new URL(url, 'https://dq.test').pathname).toBe(pathname);
      }),
      { numRuns: 2000 },
    );
  });

  test.each(['', '.', '..', '\ud800', 'x\udfff'])(
    'that cannot be part of a path is refused: %j',
    async (id) => {
      const { client, urls } = record('https://dq.test');
      expect(await rejection(client.freshness.get(id))).toMatchObject({
        name: 'InvalidRequestError',
        issues: [{ path: ['assetId'] }],
      });
      expect(urls).toEqual([]);
    },
  );
});

test('a query never changes the shape of the URL, whatever it contains', async () => {
  const { client, urls } = record('https://dq.test');
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string({ minLength: 1 }), fc.string()), async (query) => {
      urls.length = 0;
      await client.request({ method: 'GET', path: '/api/v1/x', query });
      const url = new URL(urls[0] ?? '');
      expect(url.pathname).toBe('/api/v1/x');
      expect(Object.fromEntries(url.searchParams)).toEqual(query);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['https://dq.test', 'https://dq.test/api/v1/sdk/validity/a/summary'],
  ['https://dq.test/', 'https://dq.test/api/v1/sdk/validity/a/summary'],
  ['https://dq.test/api/v1', 'https://dq.test/api/v1/sdk/validity/a/summary'],
  ['https://dq.test/api/v1/', 'https://dq.test/api/v1/sdk/validity/a/summary'],
  ['https://dq.test/eu/', 'https://dq.test/eu/api/v1/sdk/validity/a/summary'],
  ['https://dq.test/eu/api/v1//', 'https://dq.test/eu/api/v1/sdk/validity/a/summary'],
  ['https://dq.test/eu west', 'https://dq.test/eu%20west/api/v1/sdk/validity/a/summary'],
  ['http://localhost:8080', 'http://localhost:8080/api/v1/sdk/validity/a/summary'],
])('base URL %s', async (baseUrl, expected) => {
  const { client, urls } = record(baseUrl);
  await client.validity.summary('a');
  expect(urls).toEqual([expected]);
});

describe('client.request', () => {
  test('calls an endpoint that has no method, and types its value by a schema', async () => {
    await using server = await startServer(gives({ id: 'x', more: true }));
    const schema = z.looseObject({ id: z.string() });
    const value = await connect(server).request({
      method: 'PUT',
      path: '/api/v1/things/7',
      query: { dry: true, tags: ['a', 'b'], none: undefined },
      body: { name: 'n' },
      schema,
    });
    expect(value.id).toBe('x');
    expect(value).toEqual({ id: 'x', more: true });
    expect(server.requests[0]).toMatchObject({
      method: 'PUT',
      url: '/api/v1/things/7?dry=true&tags=a%2Cb',
      body: '{"name":"n"}',
      headers: { 'content-type': 'application/json', authorization: expect.stringMatching(/^Bearer /) },
    });
  });

  test.each([
    [{ data: [1] }, [1]],
    [{ data: null }, null],
    [{ status: 'ok' }, { status: 'ok' }],
    [
      [1, 2],
      [1, 2],
    ],
    ['""', ''],
    ['', undefined],
  ])('takes the value out of %j', async (body, value) => {
    await using server = await startServer(answers(200, body));
    expect(await connect(server).request({ method: 'GET', path: '/api/v1/x' })).toEqual(value);
  });

  test('refuses a response that its schema refuses', async () => {
    await using server = await startServer(gives({ id: 7 }));
    const call = connect(server).request({
      method: 'GET',
      path: '/api/v1/x',
      schema: z.looseObject({ id: z.string() }),
    });
    expect(await rejection(call)).toMatchObject({ name: 'ResponseValidationError' });
  });

  test.each([
    ['GET', 4],
    ['PUT', 4],
    ['PATCH', 4],
    ['DELETE', 4],
    ['POST', 1],
  ] as const)('a %s is sent %i times at most', async (method, attempts) => {
    await using server = await startServer(resets);
    expect(await rejection(connect(server).request({ method, path: '/api/v1/x' }))).toMatchObject({
      attempts,
    });
    expect(server.requests).toHaveLength(attempts);
  });

  test.each([
    ['a method there is not', { method: 'HEAD' as 'GET', path: '/api/v1/x' }, 'method'],
    ['a body on GET', { method: 'GET', path: '/api/v1/x', body: {} }, 'body'],
    ['a body that is no JSON', { method: 'POST', path: '/api/v1/x', body: { big: 1n } }, 'not a JSON value'],
  ] as const)('refuses %s before any request', async (_, request, named) => {
    await using server = await startServer(gives({}));
    expect(await rejection(connect(server).request(request))).toMatchObject({
      name: 'InvalidRequestError',
      message: expect.stringContaining(named),
    });
    expect(server.requests).toHaveLength(0);
  });
});

describe('client.paginate', () => {
  test.each([
    ['data.items', (items: unknown[]) => ({ items })],
    ['data', (items: unknown[]) => items],
  ])('walks a list whose items are at %s', async (_, wrap) => {
    await using server = await startServer(
      answers(200, {
        data: wrap([{ id: 1 }]),
        pagination: { total: 2, limit: 1, offset: 0, has_more: true },
      }),
      answers(200, {
        data: wrap([{ id: 2 }]),
        pagination: { total: 2, limit: 1, offset: 1, has_more: false },
      }),
    );
    const schema = z.looseObject({ id: z.number() });
    const list = connect(server).paginate({ path: '/api/v1/alerts', query: { limit: 1 }, schema });
    const ids: number[] = [];
    for await (const { id } of list) ids.push(id);
    expect(ids).toEqual([1, 2]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/v1/alerts?limit=1',
      '/api/v1/alerts?limit=1&offset=1',
    ]);
  });

  test('an assetId in its path is the caller’s to encode', async () => {
    await using server = await startServer(answers(200, { data: [] }));
    await connect(server).paginate({ path: `/api/v1/assets/${encodeURIComponent(assetId)}/tags` });
    expect(server.requests).toHaveLength(1);
  });
});
