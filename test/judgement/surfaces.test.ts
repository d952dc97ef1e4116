// Every place that judges, given the same data, reaches the same verdict.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import {
  DataQualityClient,
  judgeCapture,
  judgeCheck,
  judgeFreshness,
  type Outcome,
} from 'data-quality-client';
import { gate } from 'data-quality-client/gate';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { run } from '../../src/cli/run.ts';
import { collectReport } from '../../src/report/collect.ts';

const assetId = '5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01';
const place = { table_path: 'shop.sales.orders', column_name: 'amount' };
const rule = { id: 1, uuid: 'v_1', ...place, rule_type: 'RANGE', severity: 'critical', is_active: true };
const metric = { id: 'm_1', ...place, metric_type: 'row_count', is_active: true };

/** What the service has: no item of a list is there unless it is set. */
const data: { freshness?: unknown; check?: unknown; capture?: { snapshots: readonly unknown[] } } = {};

function list(items: readonly unknown[]): unknown {
  return {
    data: { items },
    pagination: { total: items.length, limit: 100, offset: 0, has_more: false },
  };
}

function respond(path: string): unknown {
  if (path.endsWith('/freshness')) return { success: true, data: data.freshness };
  if (path.endsWith('/results')) return list([data.check]);
  if (path.endsWith('/check')) return { data: data.check };
  if (path.endsWith('/snapshots')) return list(data.capture?.snapshots ?? []);
  if (path.endsWith('/capture')) return { data: data.capture };
  if (path.includes('/validity/')) return list(data.check === undefined ? [] : [rule]);
  if (path.endsWith('/m_1')) return { data: metric };
  return list(data.capture === undefined ? [] : [metric]);
}

const server = createServer(({ url = '' }, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(respond(new URL(url, 'http://localhost').pathname)));
});
let client: DataQualityClient;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  client = new DataQualityClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key', rateLimit: false });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  for (const key of ['freshness', 'check', 'capture'] as const) delete data[key];
  const { port } = server.address() as AddressInfo;
  vi.stubEnv('DATA_QUALITY_BASE_URL', `http://127.0.0.1:${port}`);
  vi.stubEnv('DATA_QUALITY_API_KEY', 'key');
  vi.stubEnv('DATA_QUALITY_ASSET', assetId);
  vi.stubEnv('GITHUB_ACTIONS', '');
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});

/** The outcome that an exit code of `dq` stands for. */
async function dq(...argv: readonly string[]): Promise<Outcome | number> {
  const code = await run(argv);
  process.stdout.removeAllListeners('error');
  return ({ 0: 'passed', 1: 'failed', 6: 'inconclusive' } as const)[code as 0 | 1 | 6] ?? code;
}

/** The outcome of a promise that throws unless all is good. */
async function settled(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
    return 'passed';
  } catch (error) {
    return (error as { outcome?: unknown }).outcome;
  }
}

describe('freshness', () => {
  it.each([
    [{ status: 'fresh', data_age_minutes: 5 }, 90, 'passed'],
    [{ status: ' FRESH ', data_age_minutes: 90 }, 90, 'passed'],
    [{ status: 'fresh', data_age_minutes: 5 }, undefined, 'passed'],
    [{ status: 'fresh', data_age_minutes: null }, undefined, 'passed'],
    [{ status: 'fresh', data_age_minutes: 91 }, 90, 'failed'],
    [{ status: 'fresh', data_age_minutes: null }, 90, 'inconclusive'],
    [{ status: 'fresh', data_age_minutes: -1 }, undefined, 'inconclusive'],
    [{ status: 'fresh', data_age_minutes: -1 }, 90, 'inconclusive'],
    [{ status: 'fresh', data_age_minutes: 5, sla_status: 'violated' }, undefined, 'inconclusive'],
    [{ status: 'fresh', data_age_minutes: 5, sla_status: 'VIOLATED' }, 90, 'inconclusive'],
    [{ status: 'fresh', data_age_minutes: 5, sla_status: 'warning' }, 90, 'passed'],
    [{ status: 'fresh', data_age_minutes: 5, is_stale: true }, 90, 'inconclusive'],
    [{ status: 'stale', data_age_minutes: 5 }, 90, 'failed'],
    [{ status: 'Stale', data_age_minutes: 500 }, undefined, 'failed'],
    [{ status: 'delayed', data_age_minutes: 5 }, 90, 'inconclusive'],
    [{ status: 'unknown', data_age_minutes: 5 }, 90, 'inconclusive'],
    [{ status: null, data_age_minutes: 5 }, 90, 'inconclusive'],
    [{ status: 'error' }, undefined, 'inconclusive'],
  ])('%j with at most %s minutes is everywhere judged alike', async (freshness, maxAgeMinutes, outcome) => {
    data.freshness = freshness;
    const limit = maxAgeMinutes === undefined ? {} : { maxAgeMinutes };
    const flags = maxAgeMinutes === undefined ? [] : ['--max-age', `${maxAgeMinutes}m`];
    const wait = { interval: 1, timeout: 2 };
    const gated = async (criteria: object) =>
      (await gate(client, assetId, { rules: false, freshness: criteria, throw: false })).outcome;
    const found = {
      judgeFreshness: judgeFreshness(freshness as Parameters<typeof judgeFreshness>[0], limit).outcome,
      requireFresh: await settled(client.freshness.requireFresh(assetId, limit)),
      waitUntilFresh: await settled(client.freshness.waitUntilFresh(assetId, { ...wait, ...limit })),
      gate: await gated(limit),
      'gate with waitMs': await gated({ ...limit, waitMs: 2 }),
      'dq freshness get': await dq('freshness', 'get', ...flags),
      'dq freshness wait': await dq('freshness', 'wait', '--for', '2ms', '--interval', '1ms', ...flags),
      'dq gate': await dq('gate', '--no-rules', '--freshness', ...flags),
      ...(maxAgeMinutes === undefined && {
        report: (await collectReport(client, [assetId])).assets[0]?.freshness?.outcome,
      }),
    };
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((surface) => [surface, outcome])));
  });
});

describe('captures', () => {
  const good = { id: 1, value: 5, captured_at: '2026-03-01T08:00:00Z', is_anomaly: false, status: 'PASS' };

  it.each([
    [[good], 'passed'],
    [[{ ...good, status: 'pass' }], 'passed'],
    [[{ ...good, is_anomaly: true, status: 'FAIL' }], 'failed'],
    [[{ ...good, is_anomaly: true }], 'failed'],
    [[{ ...good, status: 'FAIL' }], 'failed'],
    [[{ ...good, value: null }], 'inconclusive'],
    [[{ ...good, value: 0 }], 'inconclusive'],
    [[{ ...good, status: 'WARNING' }], 'inconclusive'],
    [[{ ...good, status: 'ERROR', value: null }], 'inconclusive'],
    [[{ ...good, status: 'LEARNING' }], 'inconclusive'],
    [[{ ...good, status: null }], 'inconclusive'],
    [[], 'inconclusive'],
  ])('%j is everywhere judged alike', async (snapshots, outcome) => {
    data.capture = { snapshots };
    data.freshness = { status: 'fresh' };
    const options = { rules: false, metrics: true, throw: false };
    const found = {
      judgeCapture: judgeCapture(data.capture as Parameters<typeof judgeCapture>[0], { metric }).outcome,
      gate: (await gate(client, assetId, options)).outcome,
      report: (await collectReport(client, [assetId])).assets[0]?.metrics[0]?.outcome,
      'dq metrics capture': await dq('metrics', 'capture'),
      'dq gate': await dq('gate', '--no-rules', '--metrics'),
    };
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((surface) => [surface, outcome])));
  });
});

describe('checks', () => {
  const good = { id: 1, status: 'pass', total_rows: 100, invalid_count: 0, invalid_percent: 0 };

  it.each([
    [good, 'passed'],
    [{ ...good, status: 'PASS ' }, 'passed'],
    [{ ...good, status: 'fail', invalid_count: 3 }, 'failed'],
    [{ ...good, total_rows: 0 }, 'inconclusive'],
    [{ ...good, total_rows: null }, 'inconclusive'],
    [{ ...good, invalid_count: 101 }, 'inconclusive'],
    [{ ...good, status: 'error' }, 'inconclusive'],
    [{ ...good, status: 'skipped' }, 'inconclusive'],
  ])('%j is everywhere judged alike', async (check, outcome) => {
    data.check = check;
    data.freshness = { status: 'fresh' };
    const found = {
      judgeCheck: judgeCheck(check as Parameters<typeof judgeCheck>[0], { rule }).outcome,
      gate: (await gate(client, assetId, { throw: false })).outcome,
      report: (await collectReport(client, [assetId])).assets[0]?.rules[0]?.outcome,
      'dq rules check': await dq('rules', 'check'),
      'dq gate': await dq('gate'),
    };
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((surface) => [surface, outcome])));
  });
});
