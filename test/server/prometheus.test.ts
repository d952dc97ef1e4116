import { execFileSync } from 'node:child_process';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

import { describe, expect, test, vi } from 'vitest';

import { isOwnHost } from '../../src/server/own-host.ts';
import { writeExposition } from '../../src/server/prometheus/exposition.ts';
import { Histogram } from '../../src/server/prometheus/histogram.ts';
import { Measurements } from '../../src/server/prometheus/measurements.ts';
import { withMetrics } from '../../src/server/prometheus/metrics-endpoint.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { serve } from '../support/served.ts';
import { hasTool } from '../support/tool.ts';

const minute = 60_000;

/** Prometheus' own check of the format: returns the problems that are matters of taste, throws the others. */
function checkFormat(exposition: string): string {
  return execFileSync('promtool', ['check', 'metrics'], {
    input: exposition,
    stdio: 'pipe',
    encoding: 'utf8',
  });
}

/** Sends a request with any headers, which `fetch` would not. */
async function get(url: string, headers: Readonly<Record<string, string>>) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; body: string }>();
  request(url, { headers }, (response) => {
    text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
  })
    .on('error', reject)
    .end();
  return promise;
}

async function watched() {
  const clock = new FakeClock();
  const served = await serve(
    {
      'orders.csv': 'at,email\n2026-03-01T11:30:00Z,a@x\n2026-03-01T11:00:00Z,\n',
      'dq.json': JSON.stringify({
        assets: [{ freshness: { table: 'shop.main.orders', timestamp_column: 'at', threshold: '1h' } }],
      }),
    },
    { clock },
  );
  await clock.until([minute, minute]);
  await served.check('orders', { rule_type: 'NOT_NULL', column_name: 'email', name: 'has "email"' });
  await served.createRule({ rule_type: 'NOT_NULL', table_path: 'shop.main.orders', column_name: 'at' });
  await served.capture('orders', { metric_type: 'row_count' });
  return { served, clock };
}

describe('GET /metrics', () => {
  test('has checks by status, invalid rows by rule, freshness, deliveries and request times', async () => {
    const { served, clock } = await watched();
    await using _ = served;
    clock.advance(30_000);
    const response = await fetch(`${served.service.url}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const exposition = await response.text();
    const lines = exposition.split('\n');
    for (const line of [
      'data_quality_rules{asset="shop",status="fail"} 1',
      'data_quality_rules{asset="shop",status="unchecked"} 1',
      'data_quality_checks_total{status="fail"} 1',
      'data_quality_captures_total{status="PASS"} 1',
      'data_quality_freshness_age_seconds{asset="shop"} 1830',
      'data_quality_freshness_threshold_seconds{asset="shop"} 3600',
      'data_quality_delivery_queue_length 0',
      'data_quality_http_requests_in_flight 0',
      'data_quality_http_request_duration_seconds_count{method="POST",path="/api/v1/sdk/validity/{asset_id}/{rule_id}/check",status="200"} 1',
      '# TYPE data_quality_http_request_duration_seconds histogram',
    ]) {
      expect(lines).toContain(line);
    }
    expect(exposition).toMatch(
      /data_quality_rule_invalid_percent\{asset="shop",rule="v_[^"]+",name="has \\"email\\"",table="shop.main.orders",column="email",severity="warning"\} 50\n/,
    );
    expect(exposition).not.toMatch(new RegExp(served.assetId));
    for (const key of Object.values(served.service.keys)) expect(exposition).not.toContain(key);
  });

  test.skipIf(!hasTool('promtool'))('is accepted by the checker of Prometheus', async () => {
    const { served } = await watched();
    await using _ = served;
    const response = await fetch(`${served.service.url}/metrics`);
    expect(checkFormat(await response.text())).toBe('');
    expect(() => checkFormat('# TYPE a gauge\na{b="c} 1\n')).toThrow('promtool check metrics');
  });

  test('needs no key on this machine, but one if it was called by a foreign name', async () => {
    await using served = await serve({ 'a.csv': 'a\n1\n' });
    const { url, keys } = served.service;
    const { host } = new URL(url);
    const port = host.split(':')[1] ?? '';
    expect(await get(`${url}/metrics`, { Host: `localhost:${port}` })).toMatchObject({ status: 200 });
    for (const foreign of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', '10.0.0.1']) {
      const refused = await get(`${url}/metrics`, { Host: foreign });
      expect({ foreign, ...refused }).toMatchObject({ foreign, status: 401 });
      expect(refused.body).not.toContain('data_quality_');
    }
    const authorization = { Host: 'evil.example', Authorization: `Bearer ${keys.readOnly}` };
    expect(await get(`${url}/metrics`, authorization)).toMatchObject({ status: 200 });
  });

  test('needs a key if the service can be reached from other machines', async () => {
    const measured = withMetrics(async () => new Response('other'), {
      state: { run: async () => [] } as never,
      assets: [],
      measurements: new Measurements(),
      keys: { readOnly: 'read', readWrite: 'write', admin: 'admin' },
      host: '0.0.0.0',
      now: () => 0,
      onError: () => undefined,
    });
    const call = async (headers: Readonly<Record<string, string>>) => {
      const { status } = await measured(new Request('http://localhost/metrics', { headers }));
      return status;
    };
    expect(await call({ Host: 'localhost' })).toBe(401);
    expect(await call({ Host: 'localhost', Authorization: 'Bearer wrong' })).toBe(401);
    expect(await call({ Host: 'localhost', Authorization: 'Bearer read' })).toBe(200);
  });

  test('is a 500 that shows nothing if the state cannot be read', async () => {
    const onError = vi.fn<(error: unknown) => void>();
    const measured = withMetrics(async () => new Response('other'), {
      state: { run: async () => Promise.reject(new Error('the disk is gone')) } as never,
      assets: [],
      measurements: new Measurements(),
      keys: { readOnly: 'read', readWrite: 'write', admin: 'admin' },
      host: '127.0.0.1',
      now: () => 0,
      onError,
    });
    const response = await measured(
      new Request('http://localhost/metrics', { headers: { Host: 'localhost' } }),
    );
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('disk');
    expect(onError).toHaveBeenCalledOnce();
  });
});

describe('the text format', () => {
  test('escapes names that strangers chose, and writes numbers that JSON has not', () => {
    const exposition = writeExposition([
      {
        name: 'shop_orders',
        help: 'What it is.',
        type: 'gauge',
        samples: [
          { labels: { name: 'a"b\\c\nd' }, value: Number.NaN },
          { labels: {}, value: Number.POSITIVE_INFINITY },
        ],
      },
      { name: 'without_samples', help: 'Nothing.', type: 'gauge', samples: [] },
    ]);
    expect(exposition).toBe(
      '# HELP shop_orders What it is.\n# TYPE shop_orders gauge\nshop_orders{name="a\\"b\\\\c\\nd"} NaN\nshop_orders +Inf\n',
    );
  });

  test('counts each duration in every bucket that it fits into', () => {
    const histogram = new Histogram();
    for (const seconds of [0.001, 0.005, 0.3, 99]) histogram.observe({ path: '/' }, seconds);
    const buckets = Object.fromEntries(
      histogram
        .samples()
        .filter(({ suffix }) => suffix === '_bucket')
        .map(({ labels, value }) => [labels['le'], value]),
    );
    expect(buckets).toMatchObject({ '0.005': 2, '0.25': 2, '0.5': 3, '30': 3, '+Inf': 4 });
    expect(histogram.samples().slice(-2)).toEqual([
      { suffix: '_sum', labels: { path: '/' }, value: 99.306 },
      { suffix: '_count', labels: { path: '/' }, value: 4 },
    ]);
  });
});

test.each([
  ['127.0.0.1', 'localhost:4780', true],
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.1', '[::1]:80', true],
  ['127.0.0.1', 'evil.example:4780', false],
  ['127.0.0.1', '10.0.0.1', false],
  ['127.0.0.1', 'localhost.evil.example', false],
  ['127.0.0.1', 'evil.example@localhost', false],
  ['0.0.0.0', '10.0.0.1:4780', true],
  ['0.0.0.0', '[fd00::1]:4780', true],
  ['0.0.0.0', 'evil.example', false],
  ['box.lan', 'Box.LAN:4780', true],
  ['box.lan', 'evil.example', false],
] as const)('a service on %s takes the host %s as its own: %s', (listensOn, host, expected) => {
  const headers = new Headers({ Host: host });
  expect(isOwnHost(new Request('http://localhost/', { headers }), listensOn)).toBe(expected);
});
