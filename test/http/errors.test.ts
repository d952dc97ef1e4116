import { describe, expect, test, vi } from 'vitest';

import {
  ApiError,
  AssetNotFoundError,
  DataQualityClient,
  DataQualityError,
  ForbiddenError,
  FreshnessNotConfiguredError,
  InternalError,
  isApiError,
  isDataQualityError,
  MetricNotFoundError,
  NotFoundError,
  RateLimitedError,
  RuleNotFoundError,
  UnauthorizedError,
  ValidationError,
} from '../../src/index.ts';
import { assetId, connect, rejection, ruleId, skipBackOff } from '../support/connect.ts';
import { answers, type Behaviour, fails, gives, redirects, startServer } from '../support/server.ts';

skipBackOff();

async function errorOf(behaviour: Behaviour, options = {}): Promise<unknown> {
  await using server = await startServer(behaviour);
  return await rejection(connect(server, { maxRetries: 0, ...options }).validity.get(assetId, ruleId));
}

// The table of the interface document (Errors), and the 422 of its freshness endpoint.
describe.each([
  [AssetNotFoundError, 404, 'ASSET_NOT_FOUND', { asset_id: assetId, suggestion: 'look at /assets' }],
  [RuleNotFoundError, 404, 'RULE_NOT_FOUND', { rule_id: ruleId }],
  [MetricNotFoundError, 404, 'METRIC_NOT_FOUND', { metric_id: 'm_1' }],
  [UnauthorizedError, 401, 'UNAUTHORIZED', {}],
  [ForbiddenError, 403, 'FORBIDDEN', { current_scope: 'read-only', required_scope: 'read-write' }],
  [ValidationError, 400, 'VALIDATION_ERROR', { field: 'rule_config.pattern', error: 'unbalanced (' }],
  [FreshnessNotConfiguredError, 422, 'FRESHNESS_NOT_CONFIGURED', {}],
  [RateLimitedError, 429, 'RATE_LIMITED', {}],
  [InternalError, 500, 'INTERNAL_ERROR', {}],
] as const)('%o', (errorClass, status, code, details) => {
  test(`is what ${status} ${code} becomes`, async () => {
    const error = await errorOf(fails(status, code, details));
    expect(error).toBeInstanceOf(errorClass);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(DataQualityError);
    expect(error).toMatchObject({
      name: errorClass.name,
      status,
      code,
      details,
      method: 'GET',
      path: `/api/v1/sdk/validity/${assetId}/${ruleId}`,
      attempts: 1,
      rateLimit: undefined,
    });
    const line = `GET /api/v1/sdk/validity/${assetId}/${ruleId} → ${status} ${code}: this is ${code}`;
    expect((error as Error).message.startsWith(line)).toBe(true);
    expect((error as Error).stack).toContain(errorClass.name);
    expect(isApiError(error, code)).toBe(true);
    expect(isApiError(error, 'SOMETHING_ELSE')).toBe(false);
    expect(isDataQualityError(error)).toBe(true);
  });
});

test('every 404 is a NotFoundError', async () => {
  expect(await errorOf(fails(404, 'RULE_NOT_FOUND'))).toBeInstanceOf(NotFoundError);
  expect(await errorOf(fails(404, 'CATALOG_NOT_FOUND'))).toBeInstanceOf(NotFoundError);
  expect(await errorOf(answers(404, '<html></html>'))).toBeInstanceOf(NotFoundError);
});

describe('advice', () => {
  test.each([
    [fails(401, 'UNAUTHORIZED'), 'DATA_QUALITY_API_KEY'],
    [fails(403, 'FORBIDDEN', { required_scope: 'admin' }), 'Use a key with the scope admin.'],
    [fails(400, 'VALIDATION_ERROR', { field: 'column_name' }), 'See column_name.'],
    [fails(429, 'RATE_LIMITED', {}, { 'retry-after': '90' }), 'Try again in 90 s.'],
  ])('%#', async (behaviour, advice) => {
    expect((await errorOf(behaviour)) as Error).toHaveProperty('message', expect.stringContaining(advice));
  });
});

describe('bodies the interface does not show', () => {
  test.each([
    ['a new code', fails(409, 'CONFLICT', { id: 1 }), ApiError, 'CONFLICT', 'this is CONFLICT'],
    ['a new code for 401', fails(401, 'KEY_REVOKED'), UnauthorizedError, 'UNAUTHORIZED', 'KEY_REVOKED'],
    ['a new code for 403', fails(403, 'IP_BLOCKED'), ForbiddenError, 'FORBIDDEN', 'IP_BLOCKED'],
    ['a new code for 429', fails(429, 'SLOW_DOWN'), RateLimitedError, 'RATE_LIMITED', 'SLOW_DOWN'],
    ['a new code for 500', fails(500, 'WAREHOUSE_DOWN'), InternalError, 'WAREHOUSE_DOWN', 'WAREHOUSE_DOWN'],
    ['a plain string', answers(400, { error: 'no' }), ValidationError, 'VALIDATION_ERROR', ': no'],
    ['an HTML page', answers(502, '<html>Bad gateway</html>'), InternalError, 'INTERNAL_ERROR', '<html>Bad'],
    ['an empty body', answers(503, ''), InternalError, 'INTERNAL_ERROR', 'the response has no body'],
    ['an odd status', answers(418, '{"teapot":true}'), ApiError, 'HTTP_418', 'teapot'],
    ['422 elsewhere', answers(422, { detail: [] }), ApiError, 'HTTP_422', 'detail'],
    ['nulls', answers(403, { error: { code: null, message: null } }), ForbiddenError, 'FORBIDDEN', 'error'],
    [
      'details that are no object',
      fails(400, 'VALIDATION_ERROR', 'odd'),
      ValidationError,
      'VALIDATION_ERROR',
      '',
    ],
    [
      'odd fields in details',
      fails(403, 'FORBIDDEN', { required_scope: { toString: 1 } }),
      ForbiddenError,
      'FORBIDDEN',
      '',
    ],
    [
      'an odd field',
      fails(400, 'VALIDATION_ERROR', { field: { toString: 1 } }),
      ValidationError,
      'VALIDATION_ERROR',
      '',
    ],
    ['code of another type', answers(500, { error: { code: 5 } }), InternalError, 'INTERNAL_ERROR', 'code'],
    ['status 304', answers(304, ''), ApiError, 'HTTP_304', 'the response has no body'],
  ])('%s', async (_, behaviour, errorClass, code, message) => {
    const error = await errorOf(behaviour);
    expect(error).toBeInstanceOf(errorClass);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect((error as ApiError).details).toBeTypeOf('object');
  });

  test('an excerpt of a long page is at most 2 KB', async () => {
    const error = await errorOf(answers(502, `<html>${'x'.repeat(100_000)}`));
    expect((error as Error).message.length).toBeLessThan(2300);
    expect((error as Error).message).toContain('<html>xxx');
  });

  test.each([
    ['nothing', ''],
    ['HTML', '<html>'],
    ['another code', { success: false, error: { code: 'NO_THRESHOLD', message: 'none' } }],
    ['the validation errors of a framework', { detail: [{ msg: 'x' }] }],
  ])('422 of the freshness endpoint means that nothing is configured: %s', async (_, body) => {
    await using server = await startServer(answers(422, body));
    const error = await rejection(connect(server).freshness.get(assetId));
    expect(error).toBeInstanceOf(FreshnessNotConfiguredError);
    expect(error).toMatchObject({ code: 'FRESHNESS_NOT_CONFIGURED', status: 422 });
  });
});

describe('a 2xx response with an unexpected body', () => {
  test.each([
    [
      'an HTML login page',
      answers(200, '<html>Log in</html>'),
      /expected JSON, got text\/html: "<html>Log in/,
    ],
    [
      'truncated JSON',
      answers(200, '{"data": {"id": 1', { 'content-type': 'application/json' }),
      /expected JSON, got application\/json: /,
    ],
    [
      'an empty body',
      answers(200, '', { 'content-type': 'application/json' }),
      /expected JSON, got an empty body/,
    ],
    ['no envelope', answers(200, { id: 1, uuid: 'v_1' }), /data is missing/],
    ['a list instead of an object', gives([1]), /data: .*expected object/],
    ['null', answers(200, null), /data is missing/],
    [
      'a field that a decision needs, of another type',
      gives({ uuid: 'v_1', is_active: 'yes' }),
      /data\.is_active: .*expected boolean/,
    ],
    ['an id that is null', gives({ id: 1, uuid: null }), /data\.uuid: .*expected string/],
  ])('%s', async (_, behaviour, message) => {
    const error = await errorOf(behaviour);
    expect(error).toMatchObject({
      name: 'ResponseValidationError',
      code: 'INVALID_RESPONSE',
      status: 200,
      message: expect.stringMatching(message),
    });
    expect((error as { issues: unknown[] }).issues).toHaveLength(1);
  });

  test('has the body', async () => {
    expect(await errorOf(gives({ id: 'x', uuid: 1 }))).toHaveProperty('body', {
      data: { id: 'x', uuid: 1 },
    });
  });

  test.each(['warn', 'off'] as const)('is let through by responseValidation: %s', async (mode) => {
    await using server = await startServer(gives({ severity: 3 }));
    const lines: string[] = [];
    const write = (line: string): number => lines.push(line);
    const logger = { debug: write, info: write, warn: write, error: write };
    const client = connect(server, { responseValidation: mode, logger });
    expect(await client.validity.get(assetId, ruleId)).toEqual({ severity: 3 });
    const warning = expect.stringMatching(/data\.uuid is missing; data\.severity: expected string/) as string;
    expect(lines).toEqual(mode === 'warn' ? [warning] : []);
  });

  test('refuses a body that is not JSON all the same', async () => {
    const error = await errorOf(answers(200, '<html>'), { responseValidation: 'off' });
    expect(error).toMatchObject({ name: 'ResponseValidationError' });
  });
});

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('%i to the same host is refused', async (status) => {
    await using server = await startServer(redirects('/elsewhere', status));
    expect(await rejection(connect(server).validity.summary(assetId))).toMatchObject({
      name: 'ConnectionError',
      code: 'REDIRECTED',
      mayHaveBeenProcessed: false,
    });
    expect(server.requests).toHaveLength(1);
  });

  test('the key does not follow to another host', async () => {
    await using elsewhere = await startServer(gives({}));
    await using server = await startServer(redirects(`${elsewhere.url}/api/v1/x`, 307));
    const error = await rejection(connect(server).validity.check(assetId, ruleId));
    expect(error).toMatchObject({ code: 'REDIRECTED', mayHaveBeenProcessed: true, attempts: 1 });
    expect(elsewhere.requests).toHaveLength(0);
  });

  test('is refused on Cloudflare Workers too, which know no redirect: error', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
    await using elsewhere = await startServer(gives({}));
    await using server = await startServer(redirects(`${elsewhere.url}/api/v1/x`, 307));
    const asked: unknown[] = [];
    const client = connect(server, {
      fetch: (input, init) => {
        asked.push(init?.redirect);
        return fetch(input, init);
      },
    });
    expect(await rejection(client.validity.summary(assetId))).toMatchObject({ code: 'REDIRECTED' });
    expect(asked).toEqual(['manual']);
    expect(elsewhere.requests).toHaveLength(0);
    vi.unstubAllGlobals();
  });

  test('is not seen in an error of the service on Cloudflare Workers', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
    await using server = await startServer(fails(404, 'RULE_NOT_FOUND'));
    const error = await rejection(connect(server).validity.get(assetId, 'v_1'));
    vi.unstubAllGlobals();
    expect(error).toMatchObject({ code: 'RULE_NOT_FOUND', status: 404 });
  });
});

test('errors have the rate limit that was announced', async () => {
  const headers = {
    'x-ratelimit-limit': '500',
    'x-ratelimit-remaining': '3',
    'x-ratelimit-reset': '2000000000',
  };
  expect(await errorOf(fails(404, 'RULE_NOT_FOUND', {}, headers))).toHaveProperty('rateLimit', {
    limit: 500,
    remaining: 3,
    resetAt: new Date(2_000_000_000_000),
  });
});

test.each([
  ['ERR_SSL_WRONG_VERSION_NUMBER', false],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', false],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', false],
  ['CERT_HAS_EXPIRED', false],
  ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', true],
  ['ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC', true],
  ['ERR_SSL_UNEXPECTED_MESSAGE', true],
])('a POST that ended in %s may have been processed: %s', async (code, mayHaveBeenProcessed) => {
  const cause = Object.assign(new Error('the connection broke'), { code });
  const client = new DataQualityClient({
    apiKey: 'k',
    baseUrl: 'https://dq.test',
    rateLimit: false,
    maxRetries: 0,
    fetch: () => Promise.reject(new TypeError('fetch failed', { cause })),
  });
  expect(await rejection(client.validity.check(assetId, ruleId))).toMatchObject({
    code,
    mayHaveBeenProcessed,
  });
});
