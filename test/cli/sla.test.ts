import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { dqHere } from '../support/dq-here.ts';
import { assetId, serveFake } from '../support/served-fake.ts';

const minute = 60_000;

/** A fake whose asset was fresh for so long, then stale for so long, in minutes. */
async function served(fresh: number, stale: number) {
  let now = Date.parse('2026-03-04T12:00:00Z');
  const fake = await serveFake({ now: () => now });
  fake.fake.setFreshness(assetId, { status: 'fresh' });
  now += fresh * minute;
  fake.fake.setFreshness(assetId, { status: 'stale' });
  now += stale * minute;
  return fake;
}

test('shows each week, the budget and the longest breach, and ends with 1 if the target is missed', async () => {
  await using service = await served(980, 20);
  const { code, stdout, stderr } = await dqHere(['sla', '--weeks', '2'], { env: service.env });
  expect(stdout).toMatch(/WEEK OF +FRESH +STALE +UNKNOWN +NOT OBSERVED +LONGEST BREACH/);
  expect(stdout).toMatch(/2026-03-02 +98\.00 % +20 min +0 +2\.5 d +20 min/);
  expect(stdout).toMatch(/2026-02-23 +– +0 +0 +7 d +–/);
  expect(stdout).toContain('since 2026-03-04T12:00:00Z; target 99 %');
  expect(stdout).toContain('Error budget: overspent by 10 min (10 min allowed).');
  expect(stdout).toContain('Longest breach: 20 min, 2026-03-05T04:20:00Z to 2026-03-05T04:40:00Z.');
  expect(stderr).toContain('failed: the data was fresh for 98.00 % of the time (target 99 %)');
  expect(code).toBe(1);
});

test('ends with 0 if the target is met, and prints what the service returned with --json', async () => {
  await using service = await served(980, 20);
  const { code, stdout, stderr } = await dqHere(['sla', '--target', '97.5', '--json'], { env: service.env });
  expect(JSON.parse(stdout)).toMatchObject({
    target_percent: 97.5,
    fresh_percent: 98,
    error_budget: { allowed_minutes: 25, remaining_minutes: 5 },
  });
  expect(stderr).toBe('');
  expect(code).toBe(0);
});

test('ends with 6 while nothing is known, and with 2 for a service that keeps no past', async () => {
  await using service = await served(0, 0);
  const unknown = await dqHere(['sla'], { env: service.env });
  expect(unknown.stdout).toContain('Nothing is known yet');
  expect(unknown.code).toBe(6);

  const other = createServer((_request, response) => {
    response.writeHead(404, { 'Content-Type': 'application/json' });
    response.end('{"error":{"code":"NOT_FOUND","message":"no such endpoint"}}');
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await dqHere(['sla'], {
    env: { ...service.env, DATA_QUALITY_BASE_URL: `http://127.0.0.1:${port}` },
  });
  expect(stderr).toContain('This service keeps no past of its freshness');
  expect(code).toBe(2);
  other.close();
  expect((await dqHere(['sla', '--target', '100'], { env: service.env })).code).toBe(2);
});
