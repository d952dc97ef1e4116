import { describe, expect, test } from 'vitest';

import {
  ApiError,
  type ClientOptions,
  DataQualityClient,
  FreshnessNotConfiguredError,
  isDataQualityError,
  ResponseValidationError,
  ValidationError,
} from '../../src/index.ts';
import { apiKey, rejection } from '../support/connect.ts';

/** A client whose every request gets this response. */
function answered(body: unknown, init: ResponseInit = {}, options: ClientOptions = {}): DataQualityClient {
  return new DataQualityClient({
    apiKey,
    baseUrl: 'https://dq.test',
    rateLimit: false,
    maxRetries: 0,
    fetch: async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), init),
    ...options,
  });
}

const rule = { rule_type: 'NOT_NULL', table_path: 't', column_name: 'c' } as const;

const endpoints: [string, (client: DataQualityClient) => Promise<unknown>][] = [
  ['validity.summary', (client) => client.validity.summary('a')],
  ['validity.list', (client) => client.validity.list('a')],
  ['validity.get', (client) => client.validity.get('a', 'r')],
  ['validity.create', (client) => client.validity.create('a', rule)],
  ['validity.update', (client) => client.validity.update('a', 'r', {})],
  ['validity.delete', (client) => client.validity.delete('a', 'r')],
  ['validity.check', (client) => client.validity.check('a', 'r')],
  ['validity.results', (client) => client.validity.results('a', 'r')],
  ['metrics.summary', (client) => client.metrics.summary('a')],
  ['metrics.list', (client) => client.metrics.list('a')],
  ['metrics.get', (client) => client.metrics.get('a', 'm')],
  ['metrics.create', (client) => client.metrics.create('a', { metric_type: 'row_count', table_path: 't' })],
  ['metrics.update', (client) => client.metrics.update('a', 'm', {})],
  ['metrics.delete', (client) => client.metrics.delete('a', 'm')],
  ['metrics.capture', (client) => client.metrics.capture('a', 'm')],
  ['metrics.snapshots', (client) => client.metrics.snapshots('a', 'm')],
  ['freshness.get', (client) => client.freshness.get('a')],
  ['freshness.overview', (client) => client.freshness.overview('a')],
  ['lineage.upload', (client) => client.lineage.upload('a', {})],
  ['request', (client) => client.request({ method: 'GET', path: '/api/v1/x' })],
  ['paginate', (client) => client.paginate({ path: '/api/v1/x' })],
];

/** A value that every endpoint would accept. */
const data = {
  id: 1,
  uuid: 'v_1',
  status: 'PASS',
  success: true,
  snapshots: [],
  items: [],
  sync_stats: { nodes_created: 1 },
};

describe.each(endpoints)('%s', (_, call) => {
  test.each([
    ['success: false', { success: false, data, error: 'the warehouse sleeps' }],
    ['success: false without a reason', { success: false, data: null }],
    ['an error beside data', { error: { code: 'WAREHOUSE_DOWN', message: 'it sleeps' }, data }],
    ['an error as text beside data', { error: 'it sleeps', data }],
  ])('a 2xx response that says it failed is an ApiError: %s', async (_name, body) => {
    for (const responseValidation of ['throw', 'warn', 'off'] as const) {
      const error = await rejection(call(answered(body, {}, { responseValidation })));
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ status: 200 });
    }
  });

  test('an empty error does not count as one', async () => {
    for (const error of [null, '', {}, [], false]) {
      const thrown: unknown = await call(answered({ success: true, data, error })).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(thrown).not.toBeInstanceOf(ApiError);
    }
  });
});

test('a value without an envelope may have a field that is called error', async () => {
  const job = { id: 1, error: 'last run failed' };
  expect(await answered(job).request({ method: 'GET', path: '/api/v1/jobs/1' })).toEqual(job);
});

test('a delete whose data says that it failed is an ApiError', async () => {
  const error = await rejection(answered({ data: { success: false } }).validity.delete('a', 'r'));
  expect(error).toMatchObject({ code: 'UNSUCCESSFUL', status: 200 });
});

describe('a write that responds with text', () => {
  test.each(['deleted', 'ok', '"deleted"', 'true', ''])('is done: %s', async (text) => {
    const init = { headers: { 'content-type': 'text/plain' } };
    expect(await answered(text, init).validity.delete('a', 'r')).toEqual({ success: true });
    expect(await answered(text, init).metrics.update('a', 'm', {})).toEqual({});
  });

  test.each(['<html>log in</html>', '{"success": fal'])(
    'is refused if it is a page or half of a JSON: %s',
    async (text) => {
      expect(await rejection(answered(text).validity.delete('a', 'r'))).toBeInstanceOf(
        ResponseValidationError,
      );
    },
  );
});

describe('the body of an error', () => {
  const located = { detail: [{ loc: ['query', 'page'], msg: 'must be 1 or more', type: 'int' }] };

  test.each([
    [
      'message beside a code',
      404,
      { success: false, message: 'Asset not found', error: 'NOT_FOUND' },
      'NOT_FOUND',
      '→ 404 NOT_FOUND: Asset not found',
    ],
    ['a code alone', 404, { error: 'NOT_FOUND' }, 'NOT_FOUND', 'NOT_FOUND: the response has no message'],
    ['error: null beside message', 404, { error: null, message: 'gone' }, 'NOT_FOUND', 'NOT_FOUND: gone'],
    ['both at the top', 409, { code: 'CONFLICT', message: 'twice' }, 'CONFLICT', 'CONFLICT: twice'],
    ['detail as text', 404, { detail: 'no such asset' }, 'NOT_FOUND', 'NOT_FOUND: no such asset'],
    ['located details', 422, located, 'VALIDATION_ERROR', 'VALIDATION_ERROR: query.page: must be 1 or more'],
  ])('has a message for people and a code for programs: %s', async (_, status, body, code, message) => {
    const error = await rejection(answered(body, { status }).validity.get('a', 'r'));
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test('of many located details names three', async () => {
    const detail = Array.from({ length: 9 }, (_, index) => ({ loc: ['body', index], msg: 'odd' }));
    const error = await rejection(answered({ detail }, { status: 422 }).validity.get('a', 'r'));
    expect((error as Error).message).toContain('body.0: odd; body.1: odd; body.2: odd; and 6 more');
  });

  test.each([
    ['a location', located],
    ['a field', { error: { code: 'VALIDATION_ERROR', message: 'm', details: { field: 'page' } } }],
  ])('422 of freshness refuses an argument if it names %s', async (_, body) => {
    const error = await rejection(answered(body, { status: 422 }).freshness.overview('a'));
    expect(error).toBeInstanceOf(ValidationError);
    expect((error as ValidationError).details.field).toContain('page');
  });

  test.each([
    ['a code without a field', { error: { code: 'VALIDATION_ERROR', message: 'no threshold' } }],
    ['a text', { detail: 'not configured' }],
  ])('422 of freshness means that nothing is configured if it names %s', async (_, body) => {
    const error = await rejection(answered(body, { status: 422 }).freshness.get('a'));
    expect(error).toBeInstanceOf(FreshnessNotConfiguredError);
  });
});

test('a message names three of many issues, and the error has all of them', async () => {
  const items = Array.from({ length: 200 }, () => ({ id: 'odd', uuid: 5 }));
  const error = await rejection(answered({ data: { items } }).validity.list('a'));
  expect(error).toBeInstanceOf(ResponseValidationError);
  const { issues, message } = error as ResponseValidationError;
  expect(issues.length).toBeGreaterThanOrEqual(200);
  expect(message.length).toBeLessThan(400);
  expect(message).toContain(`and ${issues.length - 3} more`);
});

describe('an error as JSON', () => {
  test('shows what is known of the response, and never the key', async () => {
    const headers = { 'retry-after': '7', 'x-request-id': 'req_1', 'x-echo': apiKey };
    const body = { error: { code: 'RATE_LIMITED', message: `slow down, ${apiKey}`, details: { limit: 5 } } };
    const error = await rejection(answered(body, { status: 429, headers }).validity.get('a', 'r'));
    const json: unknown = JSON.parse(JSON.stringify(error));
    expect(json).toMatchObject({
      name: 'RateLimitedError',
      code: 'RATE_LIMITED',
      message: expect.stringContaining('slow down, [redacted]'),
      status: 429,
      method: 'GET',
      path: '/api/v1/sdk/validity/a/r',
      attempts: 1,
      details: { limit: 5 },
      retryAfterMs: 7000,
      requestId: 'req_1',
    });
    expect(JSON.stringify(error)).not.toContain(apiKey);
    const { headers: shown } = error as ApiError;
    expect(shown.get('x-request-id')).toBe('req_1');
    expect(shown.get('x-echo')).toBe('[redacted]');
  });

  test('shows whether the request may have been processed', async () => {
    const client = answered('', { status: 500 });
    const failed = await rejection(client.validity.create('a', rule));
    expect(JSON.parse(JSON.stringify(failed))).toMatchObject({ mayHaveBeenProcessed: true, status: 500 });
    const odd = await rejection(answered('?').validity.create('a', rule));
    expect(JSON.parse(JSON.stringify(odd))).toMatchObject({
      name: 'ResponseValidationError',
      mayHaveBeenProcessed: true,
      message: expect.stringContaining('The request may have been processed; check before retrying.'),
    });
    const refused = await rejection(client.validity.get('a', ''));
    expect(JSON.parse(JSON.stringify(refused))).toMatchObject({
      mayHaveBeenProcessed: false,
      message: 'validity.get: ruleId must not be empty',
    });
  });
});

test('a value comes with the id of its request', async () => {
  const client = answered({ data }, { headers: { 'request-id': 'req_2' } });
  const { meta } = await client.validity.get('a', 'r').withResponse();
  expect(meta.requestId).toBe('req_2');
});

test.each([
  ['EHOSTUNREACH', 'connect', false],
  ['EHOSTUNREACH', 'read', true],
  ['ENETUNREACH', undefined, true],
])('%s of %s: mayHaveBeenProcessed is %s', async (code, syscall, mayHaveBeenProcessed) => {
  const fetch = async (): Promise<never> => {
    throw new TypeError('fetch failed', {
      cause: Object.assign(new Error('unreachable'), { code, syscall }),
    });
  };
  const error = await rejection(answered('', {}, { fetch }).validity.create('a', rule));
  expect(error).toMatchObject({ name: 'ConnectionError', code, mayHaveBeenProcessed });
});

describe('a response larger than maxResponseSize', () => {
  const options = { maxResponseSize: 1000, maxRetries: 3 };
  const large = JSON.stringify({ data: { ...data, name: 'x'.repeat(2000) } });

  test('fails without a retry', async () => {
    let calls = 0;
    const fetch = async (): Promise<Response> => {
      calls++;
      return new Response(large);
    };
    const error = await rejection(answered('', {}, { ...options, fetch }).validity.get('a', 'r'));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect((error as Error).message).toContain('larger than maxResponseSize');
    expect(calls).toBe(1);
  });

  test('is counted after decompression, and not read to its end', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent++;
        controller.enqueue(new Uint8Array(500).fill(91));
      },
    });
    const headers = { 'content-encoding': 'gzip', 'content-length': '20' };
    const fetch = async (): Promise<Response> => new Response(endless, { headers });
    const error = await rejection(answered('', {}, { ...options, fetch }).validity.get('a', 'r'));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(sent).toBeLessThan(10);
  });

  test('keeps the status of an error', async () => {
    const error = await rejection(
      answered('x'.repeat(5000), { status: 404 }, options).validity.get('a', 'r'),
    );
    expect(error).toMatchObject({ name: 'NotFoundError', status: 404 });
  });

  test('is read up to the limit, whatever the chunks', async () => {
    const text = JSON.stringify({ data: { ...data, name: 'ü'.repeat(100) } });
    const bytes = new TextEncoder().encode(text);
    const fetch = async (): Promise<Response> =>
      new Response(
        new ReadableStream({
          start(controller) {
            for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
            controller.close();
          },
        }),
      );
    const client = answered('', {}, { fetch, maxResponseSize: bytes.length });
    expect(await client.validity.get('a', 'r')).toMatchObject({ name: 'ü'.repeat(100) });
    const tighter = client.withOptions({ maxResponseSize: bytes.length - 1 });
    expect(isDataQualityError(await rejection(tighter.validity.get('a', 'r')))).toBe(true);
  });
});

describe('the stack of an error shows who called', () => {
  const client = answered('{"error":{"code":"RULE_NOT_FOUND"}}', { status: 404 });
  const pages = answered({
    data: { items: [{ id: 1, uuid: 'v_1' }] },
    pagination: { has_more: false, total: 9 },
  });

  const userCode = {
    get: async () => await client.validity.get('a', 'r'),
    'several at once': async () => await Promise.all(['r', 's'].map((id) => client.validity.get('a', id))),
    'a call that is awaited later': async () => {
      const call = client.validity.get('a', 'r');
      return await call;
    },
    page: async () => await client.validity.list('a'),
    requireFresh: async () => await client.freshness.requireFresh('a'),
    list: async () => await client.validity.list('a').toArray(),
    iterate: async () => await Array.fromAsync(pages.validity.list('a')),
    withResponse: async () => await client.metrics.get('a', 'm').withResponse(),
    refused: async () => await client.validity.get('a', ''),
  };

  test.each(Object.keys(userCode) as (keyof typeof userCode)[])('%s', async (name) => {
    const { stack } = (await rejection(userCode[name]())) as Error;
    expect(stack).toContain('failed-responses.test.ts');
    expect(stack?.split('\n').filter((line) => line.includes('failed-responses.test.ts'))).not.toEqual([]);
  });
});
