import { startLocalService } from 'data-quality-client/local';
import { expect, test, vi } from 'vitest';

import { FakeClock } from '../support/fake-clock.ts';
import { serve, type Served } from '../support/served.ts';

const minute = 60_000;
/** What sleeps while nothing is to be done: the schedule and the watch over freshness. */
const idle = [minute, minute];

const files = {
  // The clock of the tests begins at 12:00.
  'orders.csv': 'at\n2026-03-01T11:30:00Z\n',
  'dq.json': JSON.stringify({
    assets: [{ freshness: { table: 'shop.main.orders', timestamp_column: 'at', threshold: '1h' } }],
  }),
};

async function pass(clock: FakeClock, minutes: number) {
  for (let passed = 0; passed < minutes; passed++) {
    await clock.until(idle);
    clock.advance(minute);
  }
  await clock.until(idle);
}

async function slaOf(served: Served, query = '') {
  const { status, body } = await served.call('GET', `/api/v1/local/assets/${served.assetId}/sla${query}`);
  return { status, ...body.data, error: body.error };
}

test('keeps what its looks found, as periods, over a restart, without an invented past', async () => {
  const clock = new FakeClock();
  await using served = await serve(files, { clock });
  expect(await slaOf(served)).toMatchObject({ status: 200, fresh_percent: null });
  // Data of 11:30 is stale after 12:30; that the look at 12:31 found.
  await pass(clock, 40);
  expect(await slaOf(served)).toMatchObject({
    observed_since: '2026-03-01T12:00:00Z',
    fresh_minutes: 31,
    stale_minutes: 9,
    longest_breach: { from: '2026-03-01T12:31:00Z', until: '2026-03-01T12:40:00Z', minutes: 9 },
    target_percent: 99,
  });
  const { state, keys } = served.service;
  await served.service.close();
  clock.advance(60 * minute);
  await served.folder.write('orders.csv', 'at\n2026-03-01T13:39:00Z\n');
  await using again = await startLocalService({ data: served.folder.path, state, clock, keys });
  for (let passed = 0; passed < 2; passed++) {
    await clock.until(idle);
    clock.advance(minute);
  }
  await clock.until(idle);
  const response = await fetch(`${again.url}/api/v1/local/assets/${served.assetId}/sla`, {
    headers: { Authorization: `Bearer ${keys.readOnly}` },
  });
  const { data } = (await response.json()) as { data: unknown };
  // Nobody looked for an hour.
  expect(data).toMatchObject({ fresh_minutes: 33, stale_minutes: 9 });
});

test('takes its target from dq.json or the query, and refuses what cannot be one', async () => {
  const configured = JSON.parse(files['dq.json']) as { assets: [{ freshness: Record<string, unknown> }] };
  configured.assets[0].freshness['target_percent'] = 95;
  await using served = await serve(
    { ...files, 'dq.json': JSON.stringify(configured) },
    { clock: new FakeClock() },
  );
  expect(await slaOf(served)).toMatchObject({ target_percent: 95 });
  expect(await slaOf(served, '?target_percent=99.9&weeks=1')).toMatchObject({
    target_percent: 99.9,
    weeks: [{ week: '2026-02-23' }],
  });
  expect(await slaOf(served, '?target_percent=100')).toMatchObject({ status: 400 });
  expect(await slaOf(served, '?weeks=0')).toMatchObject({ status: 400 });
});

test('an asset without a freshness configuration has no past, as it has no present', async () => {
  await using served = await serve({ 'orders.csv': 'at\n1\n' });
  expect(await slaOf(served)).toMatchObject({
    status: 422,
    error: { code: 'FRESHNESS_NOT_CONFIGURED' },
  });
});

test('data that cannot be read is of unknown freshness', async () => {
  const clock = new FakeClock();
  await using served = await serve(files, { clock });
  await pass(clock, 2);
  await served.folder.write('orders.csv', 'other\n1\n');
  await pass(clock, 3);
  const sla = await slaOf(served);
  expect(sla).toMatchObject({ stale_minutes: 0 });
  expect((sla as Record<string, unknown>)['unknown_minutes']).toBe(2);
});

test('forgets what is older than the retention', async () => {
  const clock = new FakeClock();
  await using served = await serve(files, { clock, retentionDays: 2 });
  await pass(clock, 2);
  clock.advance(3 * 1440 * minute);
  await vi.waitFor(async () =>
    expect(await slaOf(served)).toMatchObject({ observed_since: '2026-03-04T12:02:00Z' }),
  );
});
