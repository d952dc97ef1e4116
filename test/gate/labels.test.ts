import { gate, type GateOptions, renderText } from 'data-quality-client/gate';
import { describe, expect, it } from 'vitest';

import { assetId, createRule, setUp } from './fake.ts';
import { ruleCheck, verdictOf } from './verdicts.ts';

const table_path = 'shop.sales.orders';

const known: Readonly<Record<string, { readonly owner?: string; readonly tags?: readonly string[] }>> = {
  orders: { owner: 'ann', tags: ['nightly', 'pii'] },
  items: { owner: 'bob', tags: ['pii'] },
  row_count: { owner: 'ann' },
  avg_value: { tags: ['nightly'] },
};

const labels: GateOptions['labels'] = (item) =>
  known['metric_type' in item ? item.metric_type : (item.name ?? '')] ?? {};

/** The names and types of what a gate with a selection checks, and its reasons. */
async function checkedBy(options: GateOptions): Promise<object> {
  const { client } = setUp();
  for (const name of ['orders', 'items', 'customers']) await createRule(client, name);
  await client.metrics.create(assetId, { metric_type: 'row_count', table_path });
  await client.metrics.create(assetId, { metric_type: 'avg_value', column_name: 'total', table_path });
  await client.metrics.create(assetId, { metric_type: 'max_value', column_name: 'total', table_path });
  const { checks, metrics, reasons } = await gate(client, assetId, { throw: false, labels, ...options });
  return {
    rules: checks.map(({ rule }) => rule.name),
    metrics: metrics.map(({ metric }) => metric.metric_type),
    reasons,
  };
}

describe('a selection by labels', () => {
  it.each([
    [{ rules: { owner: 'ann' } }, ['orders'], []],
    [{ rules: { owner: ['ann', 'bob'] } }, ['orders', 'items'], []],
    [{ rules: { tag: 'pii' } }, ['orders', 'items'], []],
    [{ rules: { tag: 'pii', owner: 'bob' } }, ['items'], []],
    [{ rules: false, metrics: { owner: 'ann' } }, [], ['row_count']],
    [{ rules: false, metrics: { tag: 'nightly' } }, [], ['avg_value']],
  ])('of %j checks the rules %j and the metrics %j', async (selection, rules, metrics) => {
    expect(await checkedBy(selection)).toEqual({ rules, metrics, reasons: [] });
  });

  it.each([
    [{ rules: { owner: 'eve' } }, 'no selected asset has a rule of owner "eve"'],
    [{ rules: { tag: ['pii', 'weekly'] } }, 'no selected asset has a rule with tag "weekly"'],
    [{ rules: false, metrics: { owner: 'eve' } }, 'no selected asset has a metric of owner "eve"'],
    [{ rules: false, metrics: { tag: 'weekly' } }, 'no selected asset has a metric with tag "weekly"'],
  ])('of %j is inconclusive for a word that nothing has', async (selection, reason) => {
    expect(await checkedBy(selection)).toMatchObject({
      reasons: expect.arrayContaining([reason]) as string[],
    });
  });
});

describe('the labels of a check', () => {
  it('are in the verdict if the gate was given them', async () => {
    const { client } = setUp();
    await createRule(client, 'orders');
    await client.metrics.create(assetId, { metric_type: 'row_count', table_path });
    const verdict = await gate(client, assetId, { metrics: true, labels, throw: false });
    expect(verdict.checks).toMatchObject([{ owner: 'ann', tags: ['nightly', 'pii'] }]);
    expect(verdict.metrics).toMatchObject([{ owner: 'ann' }]);
    const [bare] = (await gate(client, assetId)).checks;
    expect(bare).not.toHaveProperty('owner');
    expect(bare).not.toHaveProperty('tags');
  });

  it.each([
    ['failed', { owner: 'ann' }, 'it failed (owner ann)'],
    ['inconclusive', { tags: ['nightly', 'pii'] }, 'it inconclusive (tags nightly, pii)'],
    ['tolerated', { owner: 'ann', tags: ['pii'] }, 'it tolerated (owner ann; tags pii)'],
    ['failed', { tags: [] }, 'it failed'],
    ['skipped', { owner: 'ann', tags: ['pii'] }, 'it skipped'],
    ['passed', { owner: 'ann', tags: ['pii'] }, 'RANGE amount'],
  ] as const)('of a check that %s with %j are shown to whoever has to act', (outcome, fields, end) => {
    const [row = ''] = renderText(verdictOf({ checks: [ruleCheck(outcome, fields)] })).split('\n');
    expect(row.slice(-end.length - 1)).toBe(` ${end}`);
  });
});
