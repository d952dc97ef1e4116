import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import { describe, expect, test } from 'vitest';

import { type ClientOptions, DataQualityClient } from '../../src/index.ts';
import { openTelemetryHooks } from '../../src/opentelemetry/index.ts';
import {
  apiKey,
  assetId,
  baseUrl,
  checkResult,
  freshness,
  problem,
  rule,
  ruleId,
  useService,
} from './service.ts';
import { registerSdk } from './telemetry.ts';

const service = useService();

function connect(options: ClientOptions = {}): DataQualityClient {
  return new DataQualityClient({
    apiKey,
    baseUrl,
    rateLimit: false,
    retryDelay: 0,
    hooks: openTelemetryHooks(),
    ...options,
  });
}

const route = '/api/v1/sdk/validity/{asset_id}/{rule_id}/check';
const path = `/team/api/v1/sdk/validity/${assetId}/${ruleId}/check`;
const server = { 'http.request.method': 'POST', 'server.address': 'dq.test', 'server.port': 443 };
const subject = { 'data_quality.asset.id': assetId, 'data_quality.rule.id': ruleId };

describe('a call', () => {
  test('has a span, and below it the span of its request', async () => {
    const telemetry = registerSdk();
    service.responds([200, { data: checkResult }]);
    await connect().validity.check(assetId, ruleId);
    const [request, call] = await telemetry.spans();
    expect(call).toMatchObject({
      name: 'validity.check',
      kind: SpanKind.INTERNAL,
      parentId: undefined,
      attributes: { ...subject, 'data_quality.client.attempts': 1 },
      status: { code: SpanStatusCode.UNSET },
    });
    expect(request).toMatchObject({ name: `POST ${route}`, kind: SpanKind.CLIENT, parentId: call?.id });
    expect(request?.attributes).toEqual({
      ...server,
      'url.template': route,
      'url.full': `https://dq.test${path}`,
      'http.response.status_code': 200,
    });
  });

  test('sends the context of its request to the service', async () => {
    const telemetry = registerSdk();
    service.responds([500, problem('INTERNAL_ERROR')], [200, { data: freshness }]);
    await connect().freshness.get(assetId);
    const spans = (await telemetry.spans()).filter(({ kind }) => kind === SpanKind.CLIENT);
    expect(service.requests.map(({ headers }) => headers.get('traceparent'))).toEqual(
      spans.map(({ traceId, id }) => `00-${traceId}-${id}-01`),
    );
    expect(new Set(spans.map(({ id }) => id)).size).toBe(2);
  });

  test('does not replace a traceparent that its options set', async () => {
    registerSdk();
    service.responds([200, { data: freshness }]);
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await connect().freshness.get(assetId, { headers: { traceparent } });
    expect(service.requests[0]?.headers.get('traceparent')).toBe(traceparent);
  });

  test('has a span for each attempt, and counts its retries', async () => {
    const telemetry = registerSdk();
    service.responds([500, problem('INTERNAL_ERROR')], new Error('gone'), [200, { data: freshness }]);
    await connect().freshness.get(assetId);
    const spans = await telemetry.spans();
    const call = spans.at(-1);
    expect(call).toMatchObject({ name: 'freshness.get', events: ['retry', 'retry'] });
    expect(call?.attributes).toMatchObject({ 'data_quality.client.attempts': 3 });
    expect(spans.map(({ parentId }) => parentId)).toEqual([call?.id, call?.id, call?.id, undefined]);
    expect(spans.slice(0, 3).map(({ attributes }) => attributes['http.request.resend_count'])).toEqual([
      undefined,
      1,
      2,
    ]);
    expect(spans.slice(0, 3).map(({ attributes }) => attributes['error.type'])).toEqual([
      '500',
      expect.any(String),
      undefined,
    ]);
    expect(spans.slice(0, 3).map(({ status }) => status.code)).toEqual([
      SpanStatusCode.ERROR,
      SpanStatusCode.ERROR,
      SpanStatusCode.UNSET,
    ]);
    const retries = await telemetry.points('data_quality.client.retries');
    expect(retries.map(({ value }) => value)).toEqual([1, 1]);
    expect(retries[0]?.attributes).toMatchObject({ 'error.type': 'INTERNAL_ERROR' });
  });

  test('that is refused for its rate has a retry after the wait, in one trace', async () => {
    const telemetry = registerSdk();
    const wait = { 'retry-after': '1' };
    service.responds([429, problem('RATE_LIMITED'), wait], [200, { data: freshness }]);
    await connect().freshness.get(assetId);
    const spans = await telemetry.spans();
    expect(spans.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([
      429,
      200,
      undefined,
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const [retry] = await telemetry.points('data_quality.client.retries');
    expect(retry).toMatchObject({ value: 1, attributes: { 'error.type': 'RATE_LIMITED' } });
  });

  test('that waits for the rate limit measures how long, without its request', async () => {
    const telemetry = registerSdk();
    const measuredBefore: number[] = [];
    const observing: typeof fetch = async () => {
      measuredBefore.push((await telemetry.points('data_quality.client.throttle.duration')).length);
      return Response.json({ data: freshness });
    };
    const rateLimit = { perMinute: 1000, perSecond: 2 };
    const client = connect({ apiKey: 'a-key-of-its-own', rateLimit, fetch: observing });
    await Promise.all([1, 2, 3].map(() => client.freshness.get(assetId)));
    expect(measuredBefore).toEqual([0, 0, 1]);
    const [throttled, ...more] = await telemetry.points('data_quality.client.throttle.duration');
    expect(more).toEqual([]);
    expect(throttled?.value).toMatchObject({ count: 1, sum: expect.toSatisfy((sum) => sum > 0) });
    expect((await telemetry.spans()).flatMap(({ events }) => events)).toEqual(['throttle']);
  });

  test('that fails has the error of the client, and its request the status', async () => {
    const telemetry = registerSdk();
    service.responds([404, problem('RULE_NOT_FOUND')]);
    await expect(connect().validity.check(assetId, ruleId)).rejects.toThrow('RULE_NOT_FOUND');
    const [request, call] = await telemetry.spans();
    expect(request?.attributes).toMatchObject({ 'http.response.status_code': 404, 'error.type': '404' });
    expect(call).toMatchObject({
      attributes: { 'error.type': 'RULE_NOT_FOUND' },
      status: { code: SpanStatusCode.ERROR, message: expect.stringContaining('this is RULE_NOT_FOUND') },
    });
  });

  test('that is aborted ends both of its spans', async () => {
    const telemetry = registerSdk();
    const controller = new AbortController();
    const hanging: typeof fetch = async () => {
      controller.abort();
      return await new Promise<never>(() => undefined);
    };
    const call = connect({ fetch: hanging }).freshness.get(assetId, { signal: controller.signal });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    const spans = await telemetry.spans();
    expect(spans.map(({ kind }) => kind)).toEqual([SpanKind.CLIENT, SpanKind.INTERNAL]);
    expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual(['ABORTED', 'ABORTED']);
    expect(spans[0]?.attributes).not.toHaveProperty('http.response.status_code');
  });

  test('that is refused before anything is sent has no span', async () => {
    const telemetry = registerSdk();
    await expect(connect().freshness.get('..')).rejects.toThrow('assetId');
    expect(await telemetry.spans()).toEqual([]);
  });

  test('of an endpoint without a method has names that contain no id', async () => {
    const telemetry = registerSdk();
    service.responds([200, { data: {} }]);
    await connect().request({ method: 'GET', path: '/api/v1/assets/123', query: { token: 's3cr3t' } });
    const [request, call] = await telemetry.spans();
    expect(call?.name).toBe('request GET');
    expect(request?.name).toBe('GET');
    expect(request?.attributes).toMatchObject({ 'url.full': 'https://dq.test/team/api/v1/assets/123' });
    expect(request?.attributes).not.toHaveProperty('url.template');
  });

  test('suppresses the spans that an instrumentation of fetch would make again', async () => {
    registerSdk();
    const seen: unknown[] = [];
    const observing: typeof fetch = async () => {
      seen.push(isTracingSuppressed(context.active()));
      return Response.json({ data: freshness });
    };
    await connect({ fetch: observing }).freshness.get(assetId);
    expect(seen).toEqual([true]);
    expect(isTracingSuppressed(context.active())).toBe(false);
  });
});

describe('calls', () => {
  test('of a list and of checkMany are children of the span around them', async () => {
    const telemetry = registerSdk();
    service.responds(({ method }) => [
      200,
      method === 'POST'
        ? { data: checkResult }
        : { data: { items: [rule, { ...rule, uuid: 'v_2', id: 2 }] }, pagination: { has_more: false } },
    ]);
    const client = connect();
    await trace.getTracer('test').startActiveSpan('pipeline', async (span) => {
      const rules = client.validity.list(assetId);
      for await (const outcome of client.validity.checkMany(assetId, rules)) expect(outcome).toBeDefined();
      span.end();
    });
    const spans = await telemetry.spans();
    const pipeline = spans.find(({ name }) => name === 'pipeline');
    const calls = spans.filter(({ kind, name }) => kind === SpanKind.INTERNAL && name !== 'pipeline');
    expect(calls.map(({ name }) => name)).toEqual(['validity.list', 'validity.check', 'validity.check']);
    for (const { parentId } of calls) expect(parentId).toBe(pipeline?.id);
  });

  test('are measured: requests, rows, invalid percent and age', async () => {
    const telemetry = registerSdk();
    service.responds(({ url }) => [200, { data: url.includes('freshness') ? freshness : checkResult }]);
    const client = connect();
    await client.validity.check(assetId, ruleId);
    await client.validity.check(assetId, ruleId);
    await client.freshness.get(assetId);
    const requests = await telemetry.points('http.client.request.duration');
    expect(requests).toMatchObject([
      { attributes: { ...server, 'http.response.status_code': 200 }, value: { count: 2 } },
      { attributes: { 'http.request.method': 'GET' }, value: { count: 1 } },
    ]);
    expect(requests[0]?.attributes).not.toHaveProperty('url.full');
    expect(await telemetry.points('data_quality.check.rows')).toEqual([{ attributes: subject, value: 800 }]);
    expect(await telemetry.points('data_quality.check.invalid_percent')).toEqual([
      { attributes: subject, value: 0.75 },
    ]);
    expect(await telemetry.points('data_quality.checks')).toEqual([
      { attributes: { ...subject, 'data_quality.check.status': 'fail' }, value: 2 },
    ]);
    expect(await telemetry.points('data_quality.freshness.age')).toEqual([
      { attributes: { 'data_quality.asset.id': assetId }, value: 5400 },
    ]);
  });

  test('record no share of invalid rows for a check that could not be evaluated', async () => {
    const telemetry = registerSdk();
    const unknown = { ...checkResult, status: 'error', total_rows: null, invalid_count: null };
    service.responds([200, { data: { ...unknown, invalid_percent: 0 } }]);
    await connect().validity.check(assetId, ruleId);
    expect(await telemetry.points('data_quality.check.invalid_percent')).toEqual([]);
    expect(await telemetry.points('data_quality.checks')).toMatchObject([{ value: 1 }]);
  });

  test('export neither the key nor a query nor a row', async () => {
    const telemetry = registerSdk();
    const echo = { error: { code: 'INTERNAL_ERROR', message: `Bearer ${apiKey}`, details: { apiKey } } };
    service.responds([500, echo, { 'x-echo': apiKey }], [200, { data: checkResult }]);
    const client = connect({ maxRetries: 0 });
    await client.request({ method: 'GET', path: '/api/v1/x', query: { token: 'q-secret' } }).catch(() => 0);
    await client.validity.check(assetId, ruleId);
    const everything = await telemetry.everything();
    expect(everything).toContain('validity.check');
    for (const secret of [apiKey, 'q-secret', 'someone@example.com', 'authorization', 'Bearer dq']) {
      expect(everything).not.toContain(secret);
    }
  });
});

describe('the SDK', () => {
  test('may be registered after the hooks were made', async () => {
    const client = connect();
    service.responds([200, { data: freshness }]);
    await client.freshness.get(assetId);
    const telemetry = registerSdk();
    await client.freshness.get(assetId);
    expect(await telemetry.spans()).toHaveLength(2);
    expect(await telemetry.points('http.client.request.duration')).toHaveLength(1);
  });

  test('may be missing: nothing happens, and nothing is sent', async () => {
    service.responds([500, problem('INTERNAL_ERROR')], [200, { data: freshness }]);
    const lines: string[] = [];
    const write = (line: string): number => lines.push(line);
    const client = connect({
      logLevel: 'error',
      logger: { debug: write, info: write, warn: write, error: write },
    });
    expect(await client.freshness.get(assetId)).toEqual(freshness);
    expect(service.requests.map(({ headers }) => headers.has('traceparent'))).toEqual([false, false]);
    expect(lines).toEqual([]);
  });
});

test('stands beside hooks of the user', async () => {
  const telemetry = registerSdk();
  service.responds([200, { data: freshness }]);
  const seen: unknown[] = [];
  const own = { onResponse: ({ status }: { readonly status: number }) => void seen.push(status) };
  await connect({ hooks: [own, openTelemetryHooks()] }).freshness.get(assetId);
  expect(seen).toEqual([200]);
  expect(await telemetry.spans()).toHaveLength(2);
});
