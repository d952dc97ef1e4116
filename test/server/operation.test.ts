import { rename, rm } from 'node:fs/promises';

import type { LogEntry } from 'data-quality-client/local';
import { describe, expect, test, vi } from 'vitest';

import { FakeClock } from '../support/fake-clock.ts';
import { serve } from '../support/served.ts';
import { receive } from './receiver.ts';

const day = 86_400_000;
const rule = { rule_type: 'NOT_NULL', table_path: 'shop.main.a', column_name: 'a' };

describe('GET /health', () => {
  test('says without a key that the state and the data can be read, and what cannot', async () => {
    await using served = await serve({ 'a.csv': 'a\n1\n' });
    const health = async () => {
      const response = await fetch(`${served.service.url}/health`);
      return { status: response.status, body: await response.json() };
    };
    expect(await health()).toEqual({
      status: 200,
      body: { status: 'ok', state: 'ok', assets: [{ name: 'shop', status: 'ok' }] },
    });
    await rename(served.folder.path, `${served.folder.path}-away`);
    expect(await health()).toEqual({
      status: 200,
      body: { status: 'degraded', state: 'ok', assets: [{ name: 'shop', status: 'unreadable' }] },
    });
    const other = await fetch(`${served.service.url}/health`, { method: 'POST' });
    expect(other.status).not.toBe(200);
    await rm(`${served.folder.path}-away`, { recursive: true });
  });
});

describe('retention', () => {
  test('deletes old results, but never the latest of a rule', async () => {
    const clock = new FakeClock();
    await using served = await serve({ 'a.csv': 'a\n1\n' }, { clock, retentionDays: 30 });
    const uuid = await served.createRule(rule);
    const path = `/api/v1/sdk/validity/${served.assetId}/${uuid}`;
    // Only what is asked for runs: an inactive rule is not due.
    await served.call('PATCH', path, { is_active: false });
    const dates = async () => {
      const { body } = await served.call('GET', `${path}/results`);
      const { items } = body.data as { items: { checked_at: string }[] };
      return items.map((item) => item.checked_at.slice(0, 10));
    };
    await served.checkAgain(uuid);
    await clock.until([60_000]);
    clock.advance(20 * day);
    await served.checkAgain(uuid);
    expect(await dates()).toEqual(['2026-03-21', '2026-03-01']);
    await clock.until([60_000]);
    clock.advance(15 * day);
    await clock.until([60_000]);
    expect(await dates()).toEqual(['2026-03-21']);
    clock.advance(100 * day);
    await clock.until([60_000]);
    expect(await dates()).toEqual(['2026-03-21']);
  });
});

test('a log has each request, delivery and failure, and no key', async () => {
  await using receiver = await receive();
  const entries: LogEntry[] = [];
  const clock = new FakeClock();
  const destinations = [{ name: 'ops', url: receiver.url, secret: 's3cret' }];
  await using served = await serve(
    { 'a.csv': 'a\n1\n', 'dq.json': JSON.stringify({ destinations }) },
    { clock, onLog: (entry) => entries.push(entry) },
  );
  await served.call('GET', `/api/v1/sdk/validity/${served.assetId}?limit=1`);
  await vi.waitFor(() => expect(entries).toHaveLength(2), 10_000);
  expect(entries).toEqual(
    expect.arrayContaining([
      {
        time: '2026-03-01T12:00:00.000Z',
        level: 'info',
        event: 'request',
        method: 'GET',
        path: `/api/v1/sdk/validity/${served.assetId}`,
        status: 200,
        duration_ms: expect.any(Number) as unknown,
      },
      {
        time: '2026-03-01T12:00:00.000Z',
        level: 'info',
        event: 'delivery',
        alert_id: expect.any(String) as unknown,
        destination: 'ops',
        status: 'delivered',
        attempts: 1,
      },
    ]),
  );
  const text = JSON.stringify(entries);
  for (const key of [...Object.values(served.service.keys), 's3cret']) expect(text).not.toContain(key);
});
