import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { verifySignature } from 'data-quality-client/webhooks';
import { describe, expect, test, vi } from 'vitest';

import { FakeClock } from '../support/fake-clock.ts';
import { type Received, receive } from './receiver.ts';
import { serve } from '../support/served.ts';

const minute = 60_000;

/** A machine may be slow; what is waited for is a condition, not a time. */
const patience = 60_000;
vi.setConfig({ testTimeout: 4 * patience });

/** What sleeps while nothing is to be done: the schedule and the watch. */
const idle = [minute, minute];
/** The same for an asset whose freshness is configured. */
const idleWithFreshness = [minute, minute, minute];

function summaries(received: readonly Received[]) {
  return received.map(({ alert: { event } }) => [
    event?.type,
    event?.change_type,
    event?.asset?.qualified_name,
    event?.details,
  ]);
}

describe('events', () => {
  test('the first scan discovers an asset, later ones report each change once', async () => {
    await using receiver = await receive();
    const clock = new FakeClock();
    await using served = await serve(
      {
        'orders.csv': 'id,amount,note\n1,2,x\n',
        'people.json': '[{"name":"ann"}]',
        'dq.json': JSON.stringify({ destinations: [{ name: 'ops', url: receiver.url }] }),
      },
      { clock },
    );
    const { received } = receiver;
    const next = async (count: number) => {
      await clock.until(idle);
      received.length = 0;
      clock.advance(minute);
      await vi.waitFor(() => expect(received).toHaveLength(count), patience);
      await clock.until(idle);
      return summaries(received);
    };
    await vi.waitFor(() => expect(received).toHaveLength(1), patience);
    expect(received[0]?.alert).toEqual({
      event_type: 'alert.triggered',
      alert: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
        rule_name: 'Discovery complete',
        alert_type: 'discovery',
        status: 'triggered',
        created_at: '2026-03-01T12:00:00Z',
      },
      event: {
        type: 'discovery_complete',
        asset: { qualified_name: 'shop', asset_type: 'data_asset' },
        details: { table_count: 2, column_count: 4 },
      },
      links: {
        alert_url: expect.stringContaining(served.service.url) as unknown,
        asset_url: `${served.service.url}/api/v1/assets/${served.assetId}/freshness`,
      },
    });

    await served.folder.write('orders.csv', 'id,amount,extra\n1,2.5,x\n');
    await served.folder.write('eu/stock.csv', 'a\n1\n');
    expect(await next(4)).toEqual(
      expect.arrayContaining([
        ['schema_change', 'table_added', 'shop.eu.stock', {}],
        [
          'schema_change',
          'column_type_changed',
          'shop.main.orders',
          { column_name: 'amount', column_type: 'DOUBLE', previous_column_type: 'BIGINT' },
        ],
        [
          'schema_change',
          'column_removed',
          'shop.main.orders',
          { column_name: 'note', column_type: 'VARCHAR' },
        ],
        [
          'schema_change',
          'column_added',
          'shop.main.orders',
          { column_name: 'extra', column_type: 'VARCHAR' },
        ],
      ]),
    );

    await served.folder.write('people.json', '[{"name":"ann"');
    expect(await next(1)).toEqual([
      ['connection_failed', undefined, 'shop.main.people', { error: expect.any(String) as unknown }],
    ]);
    await served.folder.write('people.json', '[{"name":"zoe"}]');
    await rm(join(served.folder.path, 'eu'), { recursive: true });
    // What can be read again is not reported; what lasts is reported once.
    expect(await next(1)).toEqual([['schema_change', 'table_removed', 'shop.eu.stock', {}]]);
    await served.folder.write('people.json', '[{"name":"ann"');
    expect(await next(1)).toMatchObject([['connection_failed', undefined, 'shop.main.people', {}]]);
  });

  test('a folder that is gone fails its own asset alone, and takes no table with it', async () => {
    await using receiver = await receive();
    const clock = new FakeClock();
    await using served = await serve(
      {
        'a.csv': 'a\n1\n',
        'eu/b.csv': 'b\n1\n',
        'dq.json': JSON.stringify({
          assets: [{ name: 'europe', path: 'eu' }],
          destinations: [{ name: 'ops', url: receiver.url }],
        }),
      },
      { clock },
    );
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), patience);
    await clock.until(idle);
    receiver.received.length = 0;
    await rm(join(served.folder.path, 'eu'), { recursive: true });
    clock.advance(minute);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), patience);
    await clock.until(idle);
    expect(summaries(receiver.received)).toEqual(
      expect.arrayContaining([
        ['schema_change', 'table_removed', 'shop.eu.b', {}],
        ['connection_failed', undefined, 'europe', { error: 'the folder of europe cannot be read' }],
      ]),
    );
    await served.folder.write('eu/b.csv', 'b\n1\n');
    clock.advance(minute);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(3), patience);
    expect(summaries(receiver.received).at(2)).toEqual(['schema_change', 'table_added', 'shop.eu.b', {}]);
  });

  test('reports data that becomes stale once, until it is fresh again', async () => {
    await using receiver = await receive();
    const clock = new FakeClock();
    await using served = await serve(
      {
        'orders.csv': 'at\n2026-03-01T11:30:00Z\n',
        'dq.json': JSON.stringify({
          assets: [{ freshness: { table: 'shop.main.orders', timestamp_column: 'at', threshold: '1h' } }],
          destinations: [{ name: 'ops', url: receiver.url }],
        }),
      },
      { clock },
    );
    const violations = () => summaries(receiver.received).filter(([type]) => type === 'freshness_violation');
    const after = async (minutes: number, count: number) => {
      await clock.until(idleWithFreshness);
      clock.advance(minutes * minute);
      await vi.waitFor(() => expect(violations()).toHaveLength(count), patience);
      await clock.until(idleWithFreshness);
      return violations();
    };
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), patience);
    expect(await after(29, 0)).toEqual([]);
    expect(await after(2, 1)).toEqual([
      [
        'freshness_violation',
        undefined,
        'shop',
        { last_updated: '2026-03-01T11:30:00Z', sla_threshold: '1h' },
      ],
    ]);
    expect(await after(10, 1)).toHaveLength(1);
    await served.folder.write('orders.csv', 'at\n2026-03-01T12:40:00Z\n');
    expect(await after(1, 1)).toHaveLength(1);
    expect(await after(57, 1)).toHaveLength(1);
    expect(await after(2, 2)).toHaveLength(2);
  });

  test('names the stale table if several tables of an asset have a threshold', async () => {
    await using receiver = await receive();
    const clock = new FakeClock();
    const judged = ['shop.main.orders', 'shop.main.people'].map((table) => ({
      table,
      timestamp_column: 'at',
      threshold: '1h',
    }));
    await using running = new AsyncDisposableStack();
    running.use(
      await serve(
        {
          'orders.csv': 'at\n2026-03-01T11:30:00Z\n',
          'people.csv': 'at\n2026-03-01T10:30:00Z\n',
          'dq.json': JSON.stringify({
            assets: [{ freshness: judged }],
            destinations: [{ name: 'ops', url: receiver.url }],
          }),
        },
        { clock },
      ),
    );
    const violations = () =>
      receiver.received.flatMap(({ alert: { event } }) =>
        event?.type === 'freshness_violation' ? [event.asset] : [],
      );
    await vi.waitFor(() => expect(violations()).toHaveLength(1), patience);
    expect(violations()).toEqual([{ qualified_name: 'shop.main.people', asset_type: 'table' }]);
    await clock.until(idleWithFreshness);
    clock.advance(31 * minute);
    await vi.waitFor(() => expect(violations()).toHaveLength(2), patience);
    expect(violations().at(1)).toEqual({ qualified_name: 'shop.main.orders', asset_type: 'table' });
  });
});

describe('a delivery', () => {
  test('sends credentials, headers of the configuration and a signature of its bytes', async () => {
    await using receiver = await receive();
    const destinations = [
      {
        name: 'one',
        url: receiver.url,
        auth: { bearer: 'token-1' },
        headers: { 'X-Team': 'data' },
        secret: 'häkchen',
      },
      { name: 'two', url: receiver.url, auth: { api_key: 'key-2' } },
    ];
    await using running = new AsyncDisposableStack();
    running.use(
      await serve(
        { 'größe.csv': 'ä\n1\n', 'dq.json': JSON.stringify({ destinations }) },
        { clock: new FakeClock() },
      ),
    );
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), patience);
    const one = receiver.received.find(({ headers }) => headers.authorization !== undefined);
    const two = receiver.received.find(({ headers }) => headers['x-api-key'] !== undefined);
    expect(one?.headers).toMatchObject({
      authorization: 'Bearer token-1',
      'x-team': 'data',
      'content-type': 'application/json',
    });
    const signature = one?.headers['x-service-signature'];
    expect(signature).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(await verifySignature(one?.text ?? '', String(signature), 'häkchen')).toBe(true);
    expect(two?.headers).toMatchObject({ 'x-api-key': 'key-2' });
    expect(two?.headers).not.toHaveProperty('x-service-signature');
    expect(two?.alert.alert?.id).toBe(one?.alert.alert?.id);
  });
});
