// What the gate must not open for although nothing failed.
import { InvalidRequestError, type Metric, type ValidityRule } from 'data-quality-client';
import { gate, type GateOptions } from 'data-quality-client/gate';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { assetId, createRule, otherAssetId, setUp } from './fake.ts';

const table = { table_path: 'shop.sales.orders' };

afterEach(() => void vi.useRealTimers());

/** The reasons of a verdict, with its outcome and exit code. */
async function conclude(
  client: ReturnType<typeof setUp>['client'],
  options: GateOptions,
  assets: string | readonly string[] = assetId,
) {
  const { outcome, exitCode, reasons } = await gate(client, assets, { ...options, throw: false });
  return { outcome, exitCode, reasons };
}

describe('an empty table', () => {
  it('is inconclusive for a rule, unless allowEmpty', async () => {
    const { fake, client } = setUp();
    const { uuid } = await createRule(client, 'amount');
    fake.setCheckResult(uuid, { status: 'pass', total_rows: 0 });
    expect(await conclude(client, {})).toEqual({
      outcome: 'inconclusive',
      exitCode: 6,
      reasons: [
        'amount (NOT_NULL on shop.sales.orders.amount): the table has no rows, so nothing was checked',
      ],
    });
    expect(await conclude(client, { allowEmpty: true })).toMatchObject({ outcome: 'passed' });
  });

  it('is inconclusive for a row_count, unless allowEmpty', async () => {
    const { fake, client } = setUp();
    const { id } = await client.metrics.create(assetId, { metric_type: 'row_count', ...table });
    fake.setMetricValue(id, { value: 0, is_anomaly: false, status: 'PASS' });
    const options = { rules: false, metrics: true };
    expect(await conclude(client, options)).toEqual({
      outcome: 'inconclusive',
      exitCode: 6,
      reasons: ['row_count of shop.sales.orders: the table has no rows'],
    });
    expect(await conclude(client, { ...options, allowEmpty: true })).toMatchObject({ outcome: 'passed' });
  });
});

it('is inconclusive for a metric without a value, whatever its status', async () => {
  const { fake, client } = setUp();
  const column = { column_name: 'letters', ...table };
  const { id } = await client.metrics.create(assetId, { metric_type: 'avg_value', ...column });
  fake.setMetricValue(id, { value: null, is_anomaly: false, status: 'PASS' });
  expect(await conclude(client, { rules: false, metrics: true, allowEmpty: true })).toEqual({
    outcome: 'inconclusive',
    exitCode: 6,
    reasons: ['avg_value of shop.sales.orders.letters: the capture returned no value'],
  });
});

/** A rule that is active, one that is not, and a metric. */
async function arrange() {
  const { client } = setUp();
  const on = await createRule(client, 'on', { severity: 'critical' });
  const off = await createRule(client, 'off', { table_path: 'shop.sales.items', severity: 'info' });
  await client.validity.update(assetId, off.uuid, { is_active: false });
  const rows = await client.metrics.create(assetId, { metric_type: 'row_count', ...table });
  return { client, on, off, rows };
}
describe('each name of a selection must bring something', () => {
  type Arranged = { readonly on: ValidityRule; readonly off: ValidityRule; readonly rows: Metric };

  it.each<readonly [string, (arranged: Arranged) => GateOptions, number, (arranged: Arranged) => string]>([
    [
      'a table without rules',
      () => ({ rules: { table_path: ['shop.sales.orders', 'shop.sales.missing'] } }),
      6,
      () => 'no selected asset has a rule of table "shop.sales.missing"',
    ],
    [
      'a table whose rules are inactive',
      () => ({ rules: { table_path: ['shop.sales.orders', 'shop.sales.items'] } }),
      6,
      () => 'every selected rule of table "shop.sales.items" is inactive',
    ],
    [
      'an inactive rule',
      ({ on, off }) => ({ rules: { ids: [on.uuid, off.uuid] } }),
      6,
      ({ off }) => `rule ${off.uuid} is inactive`,
    ],
    [
      'an unknown rule',
      ({ on }) => ({ rules: { ids: [on.uuid, 'v_none'] } }),
      4,
      () => 'no selected asset has a rule v_none',
    ],
    [
      'a rule that does not fit the rest',
      ({ on, off }) => ({ rules: { ids: [on.uuid, off.uuid], severity: 'critical' } }),
      6,
      ({ off }) => `no rule ${off.uuid} fits the rest of the selection`,
    ],
    [
      'a type of no rule',
      () => ({ rules: { rule_type: ['NOT_NULL', 'UNIQUE'] } }),
      6,
      () => 'no selected asset has a rule of type "UNIQUE"',
    ],
    [
      'a severity of no active rule',
      () => ({ rules: { severity: ['critical', 'info'] } }),
      6,
      () => 'every selected rule of severity "info" is inactive',
    ],
    [
      'a type of no metric',
      () => ({ rules: false, metrics: { metric_type: ['row_count', 'avg_value'] } }),
      6,
      () => 'no selected asset has a metric of type "avg_value"',
    ],
    [
      'an unknown metric',
      ({ rows }) => ({ rules: false, metrics: { ids: [rows.id, 'm_none'] } }),
      4,
      () => 'no selected asset has a metric m_none',
    ],
  ])('%s', async (_, options, exitCode, reason) => {
    const arranged = await arrange();
    expect(await conclude(arranged.client, options(arranged))).toEqual({
      outcome: 'inconclusive',
      exitCode,
      reasons: [reason(arranged)],
    });
  });

  it('in any of the selected assets', async () => {
    const { client } = setUp();
    const first = await createRule(client, 'a');
    const second = await createRule(client, 'b', {}, otherAssetId);
    const rules = { ids: [first.uuid, second.uuid] };
    expect(await conclude(client, { rules }, [assetId, otherAssetId])).toMatchObject({ outcome: 'passed' });
  });
});

it('selects a rule without a severity as it judges it: as a warning', async () => {
  const { fake, client } = setUp();
  const { uuid } = await createRule(client, 'amount');
  fake.setCheckResult(uuid, { status: 'fail', total_rows: 10, invalid_count: 1 });
  const items = [{ id: 1, uuid, name: 'amount', severity: null, is_active: true }];
  const body = { data: { items }, pagination: { total: 1, limit: 100, offset: 0, has_more: false } };
  fake.failNext({ on: 'GET *', body: JSON.stringify(body) });
  expect(await conclude(client, { rules: { severity: 'warning' } })).toMatchObject({ outcome: 'failed' });
});

it.each(['rules', 'metrics'] as const)(
  'is inconclusive if an entry of the list of %s is odd',
  async (part) => {
    const { fake, client } = setUp();
    fake.failNext({ on: 'GET *', body: '{"data":{"items":[null]}}' });
    const lax = client.withOptions({ responseValidation: 'off' });
    expect(await conclude(lax, { rules: part === 'rules', metrics: part === 'metrics' })).toMatchObject({
      outcome: 'inconclusive',
      exitCode: 6,
      reasons: [expect.stringContaining(`the ${part} of asset ${assetId} could not be listed: `)],
    });
  },
);

it.each([
  [{ freshnes: true }, 'freshnes'],
  [{ rules: { tables: ['a'] } }, 'rules.tables'],
  [{ metrics: { type: 'row_count' } }, 'metrics.type'],
  [{ freshness: { maxAge: 5 } }, 'freshness.maxAge'],
  [{ rules: 'all' }, 'rules'],
])('refuses the misspelt option %j', async (options, name) => {
  const { fake, client } = setUp();
  const error = await gate(client, assetId, options as GateOptions).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(String(error)).toContain(`gate: ${name} `);
  expect(fake.requests).toEqual([]);
});

it('waits for the verdict it judges by', async () => {
  const { fake, client } = setUp();
  await createRule(client, 'amount');
  fake.setFreshness(assetId, { status: 'fresh', sla_status: 'violated', data_age_minutes: 5 });
  const looks = () => fake.requests.filter(({ path }) => path.endsWith('/freshness')).length;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const concluded = conclude(client, { freshness: { maxAgeMinutes: 90, waitMs: 120_000 } });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await concluded).toMatchObject({
    outcome: 'inconclusive',
    reasons: [expect.stringContaining('the data is not known to be fresh')],
  });
  expect(looks()).toBeGreaterThan(1);
});
