import { describe, expect, test, vi } from 'vitest';

import { FakeClock } from '../support/fake-clock.ts';
import { serve } from '../support/served.ts';
import { type Received, receive } from './receiver.ts';

const minute = 60_000;

/** The service over a table, with a destination; what is received leaves out the discovery. */
async function watched(receiver: { readonly url: string; readonly received: Received[] }) {
  const clock = new FakeClock();
  const destinations = [{ name: 'ops', url: receiver.url }];
  const files = { 'orders.csv': 'id,amount\n1,5\n2,\n', 'dq.json': JSON.stringify({ destinations }) };
  const served = await serve(files, { clock });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 10_000);
  await clock.until([minute, minute]);
  receiver.received.length = 0;
  return { served, clock };
}

const rule = {
  rule_type: 'NOT_NULL',
  table_path: 'shop.main.orders',
  column_name: 'amount',
  name: 'Amounts are present',
  severity: 'critical',
};

describe('a rule', () => {
  test('that fails sends an alert at once, one per failure that lasts, and one when it passes again', async () => {
    await using receiver = await receive();
    const { served } = await watched(receiver);
    const { received } = receiver;
    const uuid = await served.createRule(rule);
    await served.checkAgain(uuid);
    await vi.waitFor(() => expect(received).toHaveLength(1), 10_000);
    expect(received[0]?.alert).toEqual({
      event_type: 'alert.triggered',
      alert: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
        rule_name: 'Amounts are present',
        alert_type: 'validity',
        status: 'triggered',
        created_at: '2026-03-01T12:00:00Z',
      },
      event: {
        type: 'validity_failure',
        asset: { qualified_name: 'shop.main.orders', asset_type: 'table' },
        details: {
          rule_id: uuid,
          rule_type: 'NOT_NULL',
          column_name: 'amount',
          severity: 'critical',
          status: 'fail',
          total_rows: 2,
          invalid_count: 1,
          invalid_percent: 50,
          checked_at: '2026-03-01T12:00:00Z',
        },
      },
      links: {
        alert_url: expect.stringContaining(`${served.service.url}/api/v1/sdk/validity/`) as unknown,
        asset_url: `${served.service.url}/api/v1/sdk/validity/${served.assetId}/${uuid}`,
      },
    });

    await served.checkAgain(uuid);
    await served.folder.write('orders.csv', 'id,amount\n1,5\n');
    await served.checkAgain(uuid);
    await served.checkAgain(uuid);
    await vi.waitFor(() => expect(received).toHaveLength(2), 10_000);
    expect(received[1]?.alert).toMatchObject({
      event_type: 'alert.resolved',
      alert: { rule_name: 'Amounts are present', alert_type: 'validity', status: 'resolved' },
      event: { type: 'validity_recovery', details: { rule_id: uuid, status: 'pass', invalid_count: 0 } },
    });
    await served[Symbol.asyncDispose]();
  });

  test('that cannot be evaluated sends an alert with the reason, and one that passes from the start none', async () => {
    await using receiver = await receive();
    const { served } = await watched(receiver);
    const passing = await served.createRule({ ...rule, column_name: 'id' });
    await served.checkAgain(passing);
    const failing = await served.createRule({ ...rule, column_name: 'none' });
    await served.checkAgain(failing);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 10_000);
    expect(receiver.received[0]?.alert.event).toMatchObject({
      type: 'validity_failure',
      details: {
        rule_id: failing,
        status: 'error',
        error_message: expect.stringContaining('has no column none') as unknown,
      },
    });
    await served[Symbol.asyncDispose]();
  });
});

test('a metric with an anomaly sends an alert, and one when its value is as expected again', async () => {
  await using receiver = await receive();
  const { served, clock } = await watched(receiver);
  const base = `/api/v1/sdk/metrics/${served.assetId}`;
  const metric = { metric_type: 'row_count', table_path: 'shop.main.orders' };
  const created = await served.call('POST', base, metric);
  const id = String(created.body.data?.['id']);
  const capture = async (rows: number) => {
    await served.folder.write('orders.csv', `id,amount\n${'1,5\n'.repeat(rows)}`);
    clock.advance(1000);
    await served.call('POST', `${base}/${id}/capture`);
  };
  for (let day = 0; day < 30; day += 1) await capture(100 + (day % 3));
  expect(receiver.received).toEqual([]);
  await capture(2);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 10_000);
  expect(receiver.received[0]?.alert).toMatchObject({
    event_type: 'alert.triggered',
    alert: { rule_name: 'row_count', alert_type: 'metric' },
    event: {
      type: 'metric_anomaly',
      details: { metric_id: id, value: 2, group_values: null, anomalous_groups: 1 },
    },
  });
  await capture(101);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), 10_000);
  expect(receiver.received[1]?.alert).toMatchObject({
    event_type: 'alert.resolved',
    event: { type: 'metric_recovery', details: { metric_id: id, value: 101 } },
  });
  await served[Symbol.asyncDispose]();
});
