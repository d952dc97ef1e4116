import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { expect, test } from 'vitest';

import { DataQualityClient } from '../../src/index.ts';
import { openTelemetryHooks, openTelemetryServiceHooks } from '../../src/opentelemetry/index.ts';
import { withServiceHooks } from '../../src/server/service-hooks.ts';
import { serve } from '../support/served.ts';
import { registerSdk } from './telemetry.ts';

const route = '/api/v1/sdk/validity/{asset_id}';

/** A service with the hooks that starts a span of its own inside of each request. */
async function traced() {
  return serve(
    { 'orders.csv': 'id\n1\n' },
    {
      hooks: openTelemetryServiceHooks(),
      onLog: ({ event }) => {
        if (event === 'request') trace.getTracer('test').startSpan('inside').end();
      },
    },
  );
}

test('a call, its request, how the service handles it and what runs inside are one trace', async () => {
  const telemetry = registerSdk();
  await using served = await traced();
  const { service, assetId } = served;
  const client = new DataQualityClient({
    baseUrl: service.url,
    apiKey: service.keys.readOnly,
    hooks: openTelemetryHooks(),
  });
  await client.validity.list(assetId);
  const spans = await telemetry.spans();
  const call = spans.find(({ name }) => name === 'validity.list');
  const sent = spans.find(({ kind }) => kind === SpanKind.CLIENT);
  const handled = spans.find(({ kind }) => kind === SpanKind.SERVER);
  const inside = spans.find(({ name }) => name === 'inside');
  expect(sent?.parentId).toBe(call?.id);
  expect(handled).toMatchObject({ name: `GET ${route}`, parentId: sent?.id, status: { code: 0 } });
  expect(inside?.parentId).toBe(handled?.id);
  expect(new Set([call, sent, handled, inside].map((it) => it?.traceId)).size).toBe(1);
  expect(handled?.attributes).toEqual({
    'http.request.method': 'GET',
    'url.scheme': 'http',
    'url.path': `/api/v1/sdk/validity/${assetId}`,
    'http.route': route,
    'http.response.status_code': 200,
  });
  expect(await telemetry.points('http.server.request.duration')).toMatchObject([
    {
      attributes: {
        'http.request.method': 'GET',
        'url.scheme': 'http',
        'http.route': route,
        'http.response.status_code': 200,
      },
      value: { count: 1 },
    },
  ]);
  const exported = await telemetry.everything();
  for (const key of Object.values(service.keys)) expect(exported).not.toContain(key);
});

test('a request for what does not exist has names that do not contain its path, and is no failure', async () => {
  const telemetry = registerSdk();
  await using served = await traced();
  const { service } = served;
  const { readOnly } = service.keys;
  const response = await fetch(`${service.url}/api/v9/nothing?key=${readOnly}`, {
    headers: { Authorization: `Bearer ${readOnly}`, Cookie: `key=${readOnly}` },
  });
  expect(response.status).toBe(404);
  const span = (await telemetry.spans()).find(({ kind }) => kind === SpanKind.SERVER);
  expect(span).toMatchObject({ name: 'GET', parentId: undefined, status: { code: SpanStatusCode.UNSET } });
  expect(span?.attributes).toEqual({
    'http.request.method': 'GET',
    'url.scheme': 'http',
    'url.path': '/api/v9/nothing',
    'http.response.status_code': 404,
  });
  const [point] = await telemetry.points('http.server.request.duration');
  expect(point?.attributes).not.toHaveProperty('url.path');
  expect(await telemetry.everything()).not.toContain(readOnly);
});

/** Handles a request of a service that does nothing else. */
async function handle(method: string, respond: () => Promise<Response>): Promise<void> {
  const parts = { hooks: openTelemetryServiceHooks(), routeOf: () => undefined, onError: () => undefined };
  const service = withServiceHooks(respond, parts);
  await service(new Request('http://dq.test/x', { method })).catch(() => undefined);
}

test('a 5xx and a connection that ends without a response are errors', async () => {
  const telemetry = registerSdk();
  await handle('GET', async () => new Response(null, { status: 503 }));
  await handle('GET', async () => Promise.reject(new TypeError('cut off')));
  await expect.poll(async () => (await telemetry.spans()).length).toBe(2);
  expect(await telemetry.spans()).toMatchObject([
    {
      attributes: { 'http.response.status_code': 503, 'error.type': '503' },
      status: { code: SpanStatusCode.ERROR },
    },
    { attributes: { 'error.type': 'TypeError' }, status: { code: SpanStatusCode.ERROR } },
  ]);
});

test('a method that HTTP does not know is no name of a span', async () => {
  const telemetry = registerSdk();
  await handle('PURGE', async () => new Response(null, { status: 405 }));
  await expect.poll(async () => (await telemetry.spans()).length).toBe(1);
  expect(await telemetry.spans()).toMatchObject([
    {
      name: 'HTTP',
      attributes: { 'http.request.method': '_OTHER', 'http.request.method_original': 'PURGE' },
    },
  ]);
});

test('a request without a traceparent begins a trace, whatever was active when the service started', async () => {
  const telemetry = registerSdk();
  await using served = await trace
    .getTracer('test')
    .startActiveSpan('starting', async (span) => traced().finally(() => span.end()));
  expect(await served.call('GET', '/health')).toMatchObject({ status: 200 });
  const handled = (await telemetry.spans()).filter(({ kind }) => kind === SpanKind.SERVER);
  expect(handled).toMatchObject([{ name: 'GET', parentId: undefined }]);
});

test('without an SDK requests are served as ever', async () => {
  await using served = await traced();
  const response = await fetch(`${served.service.url}/health`);
  expect(response.status).toBe(200);
});
