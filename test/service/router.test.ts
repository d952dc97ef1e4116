import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';

import { validityEndpoints } from '../../src/contract/validity.ts';
import { endpointNotFound } from '../../src/service/problem.ts';
import type { Route } from '../../src/service/route.ts';
import { createRouter } from '../../src/service/router.ts';
import { assetId, keys, serve } from './parts.ts';

const segment = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('api', 'v1', 'sdk', 'validity', 'metrics', 'assets', 'summary') },
  { weight: 4, arbitrary: fc.constantFrom(assetId, 'check', 'results', 'capture', 'snapshots', 'freshness') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '.', '..', '%', '%2F', '%00', '%ff', '{asset_id}', '__proto__'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) },
);
const endpointPath = fc.constantFrom(
  ...['', '/summary', '/v_1', '/v_1/check', '/v_1/results'].map(
    (rest) => `/api/v1/sdk/validity/${assetId}${rest}`,
  ),
  ...['', '/summary', '/m_1', '/m_1/capture', '/m_1/snapshots'].map(
    (rest) => `/api/v1/sdk/metrics/${assetId}${rest}`,
  ),
  ...['freshness', 'lineage/upload'].map((rest) => `/api/v1/assets/${assetId}/${rest}`),
);
const path = fc.oneof(
  endpointPath,
  fc.array(segment).map((segments) => `/${segments.join('/')}`),
);
const parameter = fc.tuple(
  fc.oneof(fc.constantFrom('limit', 'offset', 'page', 'is_active', '__proto__'), fc.string()),
  fc.oneof(fc.constantFrom('1', '-1', 'true', '1e99', '9'.repeat(40), ''), fc.string()),
);
const body = fc.oneof(
  fc.json(),
  fc.string(),
  fc.constantFrom('{"__proto__":{}}', '{"rule_type":"NOT_NULL","__proto__":1}', '['.repeat(20_000)),
  fc
    .record(
      {
        rule_type: fc.constantFrom('NOT_NULL', 'REGEX', 'RANGE', 'toString'),
        metric_type: fc.constantFrom('row_count', 'percentile', 'toString'),
        table_path: fc.string(),
        column_name: fc.string(),
        rule_config: fc.oneof(fc.object(), fc.constant(null)),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
);

const success = expect.toSatisfy((answer: object) => 'data' in answer || 'sync_stats' in answer) as unknown;
const failure = {
  error: {
    code: expect.stringMatching(/^[A-Z_]+$/) as unknown,
    message: expect.any(String) as unknown,
    details: expect.any(Object) as unknown,
  },
};

test(
  'every request gets an envelope with the quota, and nothing is thrown',
  { timeout: 60_000 },
  async () => {
    const onError = vi.fn<(error: unknown) => void>();
    const { service } = serve({ onError });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'NONE'),
        path,
        fc.array(parameter, { maxLength: 3 }),
        fc.option(body),
        fc.constantFrom(undefined, 'nobody', keys.readOnly, keys.readWrite),
        fc.constantFrom(
          'application/json',
          'text/plain',
          'multipart/form-data',
          'multipart/form-data; boundary=x',
        ),
        async (method, pathname, query, text, key, contentType) => {
          const url = new URL('https://dq.test');
          url.pathname = pathname;
          url.search = String(new URLSearchParams(query));
          const hasBody = text !== null && method !== 'GET' && method !== 'HEAD';
          const response = await service(
            new Request(url, {
              method,
              headers: { 'Content-Type': contentType, ...(key && { Authorization: `Bearer ${key}` }) },
              ...(hasBody && { body: text }),
            }),
          );
          const answer: unknown = await response.json();
          expect(response.headers.get('X-RateLimit-Remaining')).toMatch(/^\d+$/);
          expect([200, 400, 401, 403, 404, 405, 413, 415, 422]).toContain(response.status);
          expect(answer).toEqual(response.status === 200 ? success : failure);
        },
      ),
      { numRuns: 1000 },
    );
    expect(onError).not.toHaveBeenCalled();
  },
);

test('names an unknown path in the response', async () => {
  const { call } = serve({});
  const { code, message, details } = endpointNotFound('/api/v2/sdk');
  expect((await call('GET', '/api/v2/sdk?limit=1')).body).toEqual({ error: { code, message, details } });
});

test('405 names the methods that are allowed', async () => {
  const { call } = serve({});
  const { status, headers, body: answer } = await call('PUT', `/api/v1/sdk/validity/${assetId}/v_1`);
  expect(status).toBe(405);
  expect(headers.get('Allow')).toBe('GET, PATCH, DELETE');
  expect(answer).toMatchObject({ error: { details: { allowed: ['GET', 'PATCH', 'DELETE'] } } });
});

test('an id keeps what is percent-encoded in it', async () => {
  const { call } = serve({});
  expect(
    (await call('GET', `/api/v1/sdk/validity/${assetId}/${encodeURIComponent('a/b ü')}`)).body,
  ).toMatchObject({
    error: { code: 'RULE_NOT_FOUND', details: { rule_id: 'a/b ü' } },
  });
});

test('a path with an invalid percent encoding is not an endpoint', async () => {
  const { call } = serve({});
  expect(await call('GET', '/api/v1/sdk/validity/%ff/summary')).toMatchObject({
    status: 404,
    body: { error: { code: 'NOT_FOUND', details: { path: '/api/v1/sdk/validity/%ff/summary' } } },
  });
});

test('a path whose id is empty is not an endpoint', async () => {
  const { call } = serve({});
  for (const pathname of ['/api/v1/sdk/validity/', '/api/v1/sdk/validity//summary']) {
    expect(await call('GET', pathname)).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND', details: { path: pathname } } },
    });
  }
});

function routeOf(pattern: string, selectedBy?: readonly string[]): Route {
  return {
    endpoint: { ...validityEndpoints.list, path: pattern, ...(selectedBy && { selectedBy }) },
    answer: async () => undefined,
  };
}

describe('of several endpoints that fit a path', () => {
  const byId = routeOf('/{asset_id}/{rule_id}');
  const summary = routeOf('/{asset_id}/summary');
  const filtered = routeOf('/{asset_id}/summary', ['page', 'search']);

  test.each([
    ['first', [summary, filtered, byId]],
    ['last', [byId, filtered, summary]],
  ])(
    'the literal one is meant if it is listed %s, and of those the one that the query selects',
    (_, routes) => {
      const match = createRouter(routes);
      const found = (pathname: string, query = '') => match('GET', pathname, new URLSearchParams(query));
      expect(found('/a/summary')).toEqual({ route: summary, params: { asset_id: 'a' } });
      expect(found('/a/summary', 'limit=1').route).toBe(summary);
      expect(found('/a/summary', 'search=').route).toBe(filtered);
      expect(found('/a/b')).toEqual({ route: byId, params: { asset_id: 'a', rule_id: 'b' } });
    },
  );

  test('one that only a query selects is not found without it', () => {
    const match = createRouter([filtered]);
    expect(() => match('GET', '/a/summary', new URLSearchParams())).toThrow(
      expect.objectContaining({ status: 405 }),
    );
  });
});
