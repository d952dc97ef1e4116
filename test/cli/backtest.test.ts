import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { dqHere } from '../support/dq-here.ts';
import { assetId, serveFake } from '../support/served-fake.ts';

const day = 86_400_000;
const start = Date.parse('2026-01-05T06:00:00Z');

/** A metric of the fake with one captured value per day. */
async function captured(values: readonly number[]) {
  let now = start;
  const served = await serveFake({ now: () => now });
  const { id } = await served.metric();
  for (const value of values) {
    served.fake.setMetricValue(id, value);
    await served.client.metrics.capture(assetId, id);
    now += day;
  }
  return { served, id };
}

const values = [100, 103, 98, 101, 99, 102, 100, 97, 101, 100, 150, 101];

test('shows each capture over what was expected, and on which days there would have been alerts', async () => {
  const { served, id } = await captured(values);
  await using _ = served;
  const { code, stdout } = await dqHere(['metrics', 'backtest', id], { env: served.env });
  expect(code).toBe(0);
  expect(stdout).toContain('Sensitivity 1 would have given 1 alert in 7 judged captures: 2026-01-15');
  const lines = stdout.split('\n').filter((line) => line.includes('●'));
  expect(lines.slice(1)).toHaveLength(values.length);
  expect(lines.find((line) => line.startsWith('2026-01-15'))).toMatch(/150 .*─.*●.*anomaly/);
});

test('a sensitivity is tried without changing the metric', async () => {
  const { served, id } = await captured(values);
  await using _ = served;
  const { stdout } = await dqHere(['metrics', 'backtest', id, '--sensitivity', '0.05', '--json'], {
    env: served.env,
  });
  expect(JSON.parse(stdout)).toMatchObject({ sensitivity: 0.05, anomalies: 0, judged: 7, days: [] });
  expect(await served.client.metrics.get(assetId, id)).toMatchObject({ sensitivity: 1 });
});

test('accepted values are the new normal', async () => {
  const { served, id } = await captured([...values.slice(0, 10), 150]);
  await using _ = served;
  const { code, stdout } = await dqHere(['metrics', 'accept', id, '--json'], { env: served.env });
  expect({ code, snapshots: JSON.parse(stdout) as unknown }).toMatchObject({
    code: 0,
    snapshots: [{ value: 150, accepted: true }],
  });
  expect(await served.client.metrics.capture(assetId, id)).toMatchObject({
    snapshots: [{ is_anomaly: false }],
  });
});

test('a service that accepts no values is named as the reason', async () => {
  const server = createServer((request, response) => {
    const isMetric = request.method === 'GET';
    response.writeHead(isMetric ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify(isMetric ? { data: { id: 'm_1' } } : { error: { code: 'NOT_FOUND', message: 'no' } }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const env = {
    DATA_QUALITY_BASE_URL: `http://127.0.0.1:${port}`,
    DATA_QUALITY_API_KEY: 'k',
    DATA_QUALITY_ASSET: assetId,
  };
  const { code, stderr } = await dqHere(['metrics', 'accept', 'm_1'], { env });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('only the local service does'),
  });
  server.close();
});
