import { startLocalService } from 'data-quality-client/local';
import { expect, test, vi } from 'vitest';

import { Engine } from '../../src/engines/duckdb/engine.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { serve } from '../support/served.ts';

const hour = 3_600_000;

/** The schedule sleeps a minute. */
const idle = [60_000];

test('rules and metrics run by themselves, each at its interval', async () => {
  const clock = new FakeClock();
  await using served = await serve({ 'a.csv': 'a\n1\n' }, { clock });
  const rule = { rule_type: 'NOT_NULL', table_path: 'shop.main.a', column_name: 'a' };
  const rules = `/api/v1/sdk/validity/${served.assetId}`;
  const metrics = `/api/v1/sdk/metrics/${served.assetId}`;
  const hourly = await served.createRule({ ...rule, check_interval: 'hourly' });
  const daily = await served.createRule(rule);
  const weekly = await served.createRule({ ...rule, check_interval: 'weekly' });
  const inactive = await served.createRule({ ...rule, check_interval: 'hourly' });
  await served.call('PATCH', `${rules}/${inactive}`, { is_active: false });
  const metric = await served.call('POST', metrics, {
    metric_type: 'row_count',
    table_path: 'shop.main.a',
    capture_interval: 'hourly',
  });
  const total = async (path: string) => {
    const { body } = await served.call('GET', path);
    return (body as unknown as { pagination: { total: number } }).pagination.total;
  };
  const totals = async () =>
    Promise.all([
      ...[hourly, daily, weekly, inactive].map(async (uuid) => total(`${rules}/${uuid}/results`)),
      total(`${metrics}/${String(metric.body.data?.['id'])}/snapshots`),
    ]);
  const after = async (hours: number) => {
    await clock.until(idle);
    clock.advance(hours * hour);
    await clock.until(idle);
    return totals();
  };
  expect(await after(0)).toEqual([0, 0, 0, 0, 0]);
  expect(await after(1)).toEqual([1, 0, 0, 0, 1]);
  expect(await after(0.5)).toEqual([1, 0, 0, 0, 1]);
  expect(await after(0.5)).toEqual([2, 0, 0, 0, 2]);
  // Several hours at once are one run.
  expect(await after(21)).toEqual([3, 0, 0, 0, 3]);
  expect(await after(1)).toEqual([4, 1, 0, 0, 4]);
  expect(await after(144)).toEqual([5, 2, 1, 0, 5]);
});

test('what came due while it was down runs once', async () => {
  const clock = new FakeClock();
  await using served = await serve({ 'a.csv': 'a\n1\n' }, { clock });
  const rule = { rule_type: 'NOT_NULL', table_path: 'shop.main.a', column_name: 'a' };
  const uuid = await served.createRule({ ...rule, check_interval: 'hourly' });
  await served.service.close();
  clock.advance(100 * hour);

  const again = await startLocalService({ data: served.folder.path, keys: { readOnly: 'reader' }, clock });
  const results = async () => {
    const response = await fetch(`${again.url}/api/v1/sdk/validity/${served.assetId}/${uuid}/results`, {
      headers: { Authorization: 'Bearer reader' },
    });
    return ((await response.json()) as { data: { items: unknown[] } }).data.items;
  };
  await clock.until(idle);
  clock.advance(hour / 2);
  await clock.until(idle);
  expect(await results()).toMatchObject([{ status: 'pass', checked_at: '2026-03-05T16:00:00Z' }]);
  await again.close();
});

test('what is due of one table shares a scan of it, and a rule that cannot be evaluated fails alone', async () => {
  const clock = new FakeClock();
  await using served = await serve({ 'a.csv': 'a,b\n1,x\n,y\n', 'other.csv': 'a\n1\n' }, { clock });
  const rules = `/api/v1/sdk/validity/${served.assetId}`;
  const common = { table_path: 'shop.main.a', check_interval: 'hourly' };
  const created = await Promise.all(
    [
      { ...common, rule_type: 'NOT_NULL', column_name: 'a' },
      { ...common, rule_type: 'NOT_NULL', column_name: 'missing' },
      { ...common, rule_type: 'REGEX', column_name: 'b', rule_config: { pattern: 'x' } },
      { ...common, rule_type: 'RANGE', column_name: 'a', rule_config: { min: 0 } },
      { ...common, rule_type: 'NOT_NULL', column_name: 'a', table_path: 'shop.main.other' },
    ].map(async (rule) => served.createRule(rule)),
  );
  await served.call('POST', `/api/v1/sdk/metrics/${served.assetId}`, {
    metric_type: 'null_percent',
    table_path: 'shop.main.a',
    column_name: 'a',
    capture_interval: 'hourly',
  });
  await clock.until(idle);
  const query = vi.spyOn(Engine.prototype, 'query');
  clock.advance(hour);
  await clock.until(idle);
  const latest = async (uuid: string) => {
    const { body } = await served.call('GET', `${rules}/${uuid}/results`);
    const items = body.data?.['items'] as readonly unknown[] | undefined;
    return items?.[0];
  };
  expect(await Promise.all(created.map(latest))).toMatchObject([
    { status: 'fail', invalid_count: 1 },
    { status: 'error' },
    { status: 'fail', invalid_count: 1 },
    { status: 'fail', invalid_count: 1 },
    { status: 'pass', invalid_count: 0 },
  ]);
  const reading = (name: string) => query.mock.calls.filter(([, sql]) => sql.includes(name));
  // Each alone, the three rules and the metric would be four; a busy machine may let one come too late to share.
  expect(reading('a.csv').length).toBeLessThan(4);
  expect(reading('other.csv')).toHaveLength(1);
});
