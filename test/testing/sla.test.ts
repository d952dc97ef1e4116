import { DataQualityClient } from 'data-quality-client';
import { createFakeService } from 'data-quality-client/testing';
import { expect, test } from 'vitest';

const minute = 60_000;

test('the fake reports the past of what a test set, by its own clock', async () => {
  let now = Date.parse('2026-03-04T12:00:00Z');
  const fake = createFakeService({ now: () => now });
  const client = new DataQualityClient(fake.clientOptions);
  const path = `/api/v1/local/assets/${fake.asset.id}/sla`;
  const sla = async () => client.request({ method: 'GET', path });
  await expect(sla()).rejects.toMatchObject({ status: 422, code: 'FRESHNESS_NOT_CONFIGURED' });

  fake.setFreshness(fake.asset.id, { status: 'fresh' });
  now += 90 * minute;
  fake.setFreshness(fake.asset.id, { status: 'stale' });
  now += 10 * minute;
  expect(await sla()).toMatchObject({
    observed_since: '2026-03-04T12:00:00Z',
    fresh_minutes: 90,
    stale_minutes: 10,
    fresh_percent: 90,
    longest_breach: { minutes: 10 },
  });

  fake.setFreshness(fake.asset.id, null);
  now += 60 * minute;
  fake.setFreshness(fake.asset.id, { status: 'fresh' });
  now += 10 * minute;
  expect(await sla()).toMatchObject({ fresh_minutes: 100, stale_minutes: 10 });

  fake.reset();
  fake.setFreshness(fake.asset.id, { status: 'fresh' });
  expect(await sla()).toMatchObject({ fresh_minutes: 0, observed_since: '2026-03-04T14:50:00Z' });
});
