import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { describe, expect, test } from 'vitest';

import { gate } from '../../src/gate/index.ts';
import { DataQualityClient } from '../../src/index.ts';
import { openTelemetryHooks, traceGate } from '../../src/opentelemetry/index.ts';
import { apiKey, assetId, baseUrl, checkResult, freshness, rule, type Told, useService } from './service.ts';
import { registerSdk } from './telemetry.ts';

const service = useService();
const client = new DataQualityClient({ apiKey, baseUrl, rateLimit: false, hooks: openTelemetryHooks() });

function respond(result: object) {
  service.responds(({ method, url }): Told => {
    if (url.includes('freshness')) return [200, { data: freshness }];
    if (method === 'POST') return [200, { data: result }];
    const items = [rule, { ...rule, id: 2, uuid: 'v_2' }, { ...rule, id: 3, uuid: 'v_3' }];
    return [200, { data: { items }, pagination: { has_more: false } }];
  });
}

describe('a gate', () => {
  test('that passes has a span with its counts, and its calls are children of it', async () => {
    const telemetry = registerSdk();
    respond({ ...checkResult, status: 'pass', invalid_count: 0, invalid_percent: 0 });
    // Two at once, so that a call also begins when another one has ended.
    const options = { freshness: true, concurrency: 2 };
    const verdict = await traceGate(() => gate(client, assetId, options));
    expect(verdict.outcome).toBe('passed');
    const spans = await telemetry.spans();
    const span = spans.at(-1);
    expect(span).toMatchObject({
      name: 'gate',
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        'data_quality.gate.outcome': 'passed',
        'data_quality.gate.exit_code': 0,
        'data_quality.gate.checks.passed': 4,
        'data_quality.gate.checks.failed': 0,
      },
    });
    const calls = spans.filter(({ kind, name }) => kind === SpanKind.INTERNAL && name !== 'gate');
    expect(calls.map(({ name }) => name)).toEqual([
      'freshness.get',
      'validity.list',
      'validity.check',
      'validity.check',
      'validity.check',
    ]);
    for (const { parentId, traceId } of calls) expect([parentId, traceId]).toEqual([span?.id, span?.traceId]);
    const [duration] = await telemetry.points('data_quality.gate.duration');
    expect(duration).toMatchObject({
      attributes: { 'data_quality.gate.outcome': 'passed' },
      value: { count: 1 },
    });
  });

  test.each([
    ['fails', checkResult, 'failed', 'GATE_FAILED'],
    ['is inconclusive', { ...checkResult, status: 'error' }, 'inconclusive', 'GATE_INCONCLUSIVE'],
  ])('that %s is an error, whether it throws or not', async (_, result, outcome, errorType) => {
    const telemetry = registerSdk();
    respond(result);
    await expect(traceGate(() => gate(client, assetId))).rejects.toMatchObject({ code: errorType });
    await traceGate(() => gate(client, assetId, { throw: false }));
    const gates = (await telemetry.spans()).filter(({ name }) => name === 'gate');
    expect(gates).toHaveLength(2);
    for (const { attributes, status } of gates) {
      expect(attributes).toMatchObject({ 'data_quality.gate.outcome': outcome, 'error.type': errorType });
      expect(status.code).toBe(SpanStatusCode.ERROR);
      expect(status.message).toContain('email is there');
    }
    const [duration] = await telemetry.points('data_quality.gate.duration');
    expect(duration).toMatchObject({ value: { count: 2 } });
  });

  test('is a child of the span around it', async () => {
    const telemetry = registerSdk();
    respond(checkResult);
    await trace.getTracer('test').startActiveSpan('pipeline', async (span) => {
      await traceGate(() => gate(client, assetId, { throw: false }));
      span.end();
    });
    const [span, pipeline] = (await telemetry.spans()).slice(-2);
    expect(span).toMatchObject({ name: 'gate', parentId: pipeline?.id });
  });

  test('that is refused for its options has the error of the client', async () => {
    const telemetry = registerSdk();
    await expect(traceGate(() => gate(client, ''))).rejects.toThrow('assetIds');
    expect(await telemetry.spans()).toMatchObject([{ attributes: { 'error.type': 'INVALID_REQUEST' } }]);
  });

  test('is the same without an SDK', async () => {
    respond(checkResult);
    await expect(traceGate(() => gate(client, assetId))).rejects.toMatchObject({ code: 'GATE_FAILED' });
    expect(service.requests[0]?.headers.has('traceparent')).toBe(false);
  });
});
