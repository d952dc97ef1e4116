import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';

import { DataQualityClient, isDataQualityError, type ResponseValidation } from '../../src/index.ts';

/** Every way to ask the service something, one for each endpoint and each shape of response. */
const calls: Record<string, (client: DataQualityClient) => Promise<unknown>> = {
  'validity.summary': (client) => client.validity.summary('a'),
  'validity.list': (client) => client.validity.list('a').toArray({ max: 3 }),
  'validity.get': (client) => client.validity.get('a', 'r'),
  'validity.create': (client) =>
    client.validity.create('a', { rule_type: 'NOT_NULL', table_path: 't', column_name: 'c' }),
  'validity.update': (client) => client.validity.update('a', 'r', {}),
  'validity.delete': (client) => client.validity.delete('a', 'r'),
  'validity.check': (client) => client.validity.check('a', 'r'),
  'validity.results': (client) => client.validity.results('a', 'r').toArray({ max: 3 }),
  'metrics.summary': (client) => client.metrics.summary('a'),
  'metrics.list': (client) => client.metrics.list('a').toArray({ max: 3 }),
  'metrics.get': (client) => client.metrics.get('a', 'm'),
  'metrics.create': (client) => client.metrics.create('a', { metric_type: 'row_count', table_path: 't' }),
  'metrics.update': (client) => client.metrics.update('a', 'm', {}),
  'metrics.delete': (client) => client.metrics.delete('a', 'm'),
  'metrics.capture': (client) => client.metrics.capture('a', 'm'),
  'metrics.snapshots': (client) => client.metrics.snapshots('a', 'm').toArray({ max: 3 }),
  'freshness.get': (client) => client.freshness.get('a'),
  'freshness.requireFresh': (client) => client.freshness.requireFresh('a', { maxAgeMinutes: 5 }),
  'freshness.overview': (client) => client.freshness.overview('a'),
  'lineage.upload': (client) => client.lineage.upload('a', {}),
  request: (client) => client.request({ method: 'GET', path: '/api/v1/x' }),
  paginate: (client) => client.paginate({ path: '/api/v1/x' }).toArray({ max: 3 }),
};

const odd = fc.jsonValue();
const field = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => fc.oneof(value, odd);

/** JSON that looks like what the service sends, with anything at all in its place now and then. */
const body = fc.oneof(
  odd,
  fc.record(
    {
      data: fc.oneof(
        odd,
        fc.array(odd),
        fc.record({ items: field(fc.array(fc.oneof(odd, fc.record({ id: odd, uuid: odd })))) }),
        fc.record({ id: odd, uuid: odd, status: odd, asset: odd, data_age_minutes: odd, snapshots: odd }),
      ),
      pagination: field(
        fc.record(
          {
            total: field(fc.integer()),
            limit: field(fc.integer()),
            offset: field(fc.integer()),
            has_more: field(fc.boolean()),
          },
          { requiredKeys: [] },
        ),
      ),
      success: field(fc.boolean()),
      message: odd,
      error: field(
        fc.record({
          code: field(fc.constantFrom('FORBIDDEN', 'VALIDATION_ERROR', 'RULE_NOT_FOUND', 'RATE_LIMITED')),
          message: odd,
          details: field(fc.record({ field: odd, required_scope: odd })),
        }),
      ),
    },
    { requiredKeys: [] },
  ),
);

const status = fc.oneof(
  { weight: 3, arbitrary: fc.constant(200) },
  fc.constantFrom(201, 400, 401, 403, 404, 409, 422, 429, 500, 503),
);

test.each(['throw', 'warn', 'off'] as const)(
  'arbitrary JSON responses never cause a foreign error (responseValidation: %s)',
  { timeout: 60_000 },
  async (responseValidation: ResponseValidation) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(calls)), status, body, async (name, code, json) => {
        const client = new DataQualityClient({
          apiKey: 'k',
          baseUrl: 'https://dq.test',
          rateLimit: false,
          maxRetries: 0,
          responseValidation,
          fetch: async () => new Response(JSON.stringify(json), { status: code }),
        });
        const outcome = await calls[name]?.(client).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (outcome !== undefined && !isDataQualityError(outcome)) throw outcome;
      }),
      { numRuns: 1000 },
    );
  },
);

test('arbitrary response text never causes a foreign error', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(calls)),
      fc.string(),
      status,
      async (name, text, code) => {
        const client = new DataQualityClient({
          apiKey: 'k',
          baseUrl: 'https://dq.test',
          rateLimit: false,
          maxRetries: 0,
          fetch: async () => new Response(text, { status: code }),
        });
        const outcome = await calls[name]?.(client).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (outcome !== undefined && !isDataQualityError(outcome)) throw outcome;
      },
    ),
    { numRuns: 500 },
  );
});

test('reads JSON nested deeper than the stack', async () => {
  const deep = `{"data":{"id":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`;
  for (const code of [200, 400]) {
    const client = new DataQualityClient({
      apiKey: 'k',
      baseUrl: 'https://dq.test',
      fetch: async () => new Response(deep, { status: code }),
    });
    const outcome: unknown = await client.validity.get('a', 'r').catch((error: unknown) => error);
    expect(isDataQualityError(outcome)).toBe(true);
  }
});
