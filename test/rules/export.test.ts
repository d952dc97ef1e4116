import {
  apply,
  exportRules,
  hasChanges,
  parseDefinition,
  plan,
  renderChanges,
  toYaml,
} from 'data-quality-client/rules';
import { describe, expect, it } from 'vitest';

import { assetId, define, setUp, table } from './fake.ts';

describe('exportRules', () => {
  it('writes down what differs from the defaults, inactive rules too', async () => {
    const { client } = setUp();
    const { uuid } = await client.validity.create(assetId, {
      rule_type: 'RANGE',
      table_path: table,
      column_name: 'amount',
      name: 'amount',
      rule_config: { min: 0 },
      severity: 'critical',
    });
    await client.validity.update(assetId, uuid, { is_active: false });
    await client.validity.create(assetId, {
      rule_type: 'CUSTOM_SQL',
      table_path: 'shop.sales.items',
      rule_config: { sql_expression: 'a < b' },
    });
    await client.metrics.create(assetId, { metric_type: 'row_count', table_path: table, sensitivity: 2 });
    const { definition, unmapped } = await exportRules(client, assetId);
    expect(definition).toStrictEqual({
      tables: {
        [table]: {
          rules: [
            {
              name: 'amount',
              rule_type: 'RANGE',
              column_name: 'amount',
              rule_config: { min: 0 },
              severity: 'critical',
              is_active: false,
            },
          ],
          metrics: [{ metric_type: 'row_count', sensitivity: 2 }],
        },
        'shop.sales.items': {
          rules: [{ rule_type: 'CUSTOM_SQL', rule_config: { sql_expression: 'a < b' } }],
        },
      },
    });
    expect(unmapped).toEqual([]);
    expect(hasChanges(await plan(client, assetId, definition))).toBe(false);
  });

  it('lists what no definition can express', async () => {
    const { fake, client } = setUp();
    const presence = { rule_type: 'NOT_NULL', table_path: table, column_name: 'id' } as const;
    const { uuid } = await client.validity.create(assetId, presence);
    await client.validity.create(assetId, presence);
    await client.metrics.create(assetId, {
      metric_type: 'percentile',
      table_path: table,
      column_name: 'amount',
      percentile_value: 95,
    });
    const unknown = {
      id: 1,
      uuid,
      table_path: table,
      column_name: 'id',
      rule_type: 'LENGTH',
      rule_config: { max: 3 },
    };
    fake.failNext({ on: `GET */${uuid}`, body: JSON.stringify({ data: unknown }) });
    fake.failNext({ on: 'GET */metrics/*', body: JSON.stringify({ data: { items: [{ id: 'm_1' }] } }) });
    expect((await exportRules(client, assetId)).unmapped).toMatchObject([
      {
        kind: 'rule',
        id: uuid,
        table_path: table,
        column_name: 'id',
        label: 'LENGTH',
        reason: expect.stringContaining('rule_type: must be one of') as string,
      },
      {
        kind: 'metric',
        id: 'm_1',
        table_path: null,
        column_name: null,
        label: 'metric',
        reason: 'it has no table',
      },
    ]);
    expect((await exportRules(client, assetId)).unmapped).toMatchObject([
      { kind: 'rule', label: 'NOT_NULL', reason: 'another one has the same key' },
      { kind: 'metric', label: 'percentile', reason: 'the service does not show its percentile_value' },
    ]);
  });

  it('lists under keep what it cannot describe, so that pruning with its own definition deletes nothing', async () => {
    const { client } = setUp();
    const percentile = { metric_type: 'percentile', table_path: table, column_name: 'amount' } as const;
    const { id } = await client.metrics.create(assetId, { ...percentile, percentile_value: 95 });
    const { definition } = await exportRules(client, assetId);
    expect(definition.keep).toEqual([
      { id, reason: 'metric percentile: the service does not show its percentile_value' },
    ]);
    const changes = await plan(client, assetId, parseDefinition(toYaml(definition)));
    expect(changes).toMatchObject({ delete: [], kept: [id] });
    expect(renderChanges(changes)).toContain('0 unchanged, 1 kept without a description.');
    await apply(client, changes, { prune: true, replace: true });
    expect(await client.metrics.list(assetId).toArray()).toMatchObject([{ id }]);
  });

  it.each([null, ''])('exports a rule whose name is %j without a name', async (name) => {
    const { fake, client } = setUp();
    const rule = { rule_type: 'NOT_NULL', table_path: table, column_name: 'id' } as const;
    const { uuid } = await client.validity.create(assetId, rule);
    fake.failNext({ on: `GET */${uuid}`, body: JSON.stringify({ data: { id: 1, uuid, ...rule, name } }) });
    const { definition } = await exportRules(client, assetId);
    expect(definition.tables[table]?.rules).toEqual([{ rule_type: 'NOT_NULL', column_name: 'id' }]);
  });

  it('does not take what is kept for a metric that the definition adds', async () => {
    const { client } = setUp();
    const metric = { metric_type: 'percentile', column_name: 'amount', percentile_value: 95 } as const;
    const { id } = await client.metrics.create(assetId, { ...metric, table_path: table });
    const changes = await plan(client, assetId, { ...define({ metrics: [metric] }), keep: [{ id }] });
    await apply(client, changes, { prune: true });
    expect(await client.metrics.list(assetId).toArray()).toHaveLength(2);
  });

  it('describes what a service shows that no response is documented to include', async () => {
    const { fake, client } = setUp();
    const rule = { rule_type: 'NOT_NULL', table_path: table, column_name: 'id' } as const;
    const { uuid } = await client.validity.create(assetId, rule);
    const detail = { id: 1, uuid, ...rule, error_message: null };
    fake.failNext({ on: `GET */${uuid}`, body: JSON.stringify({ data: detail }) });
    const percentile = { metric_type: 'percentile', column_name: 'amount', percentile_value: 95 };
    const items = [{ id: 'm_1', table_path: table, ...percentile, group_by_columns: null }];
    fake.failNext({ on: 'GET */metrics/*', body: JSON.stringify({ data: { items } }) });
    expect(await exportRules(client, assetId)).toStrictEqual({
      definition: {
        tables: {
          [table]: { rules: [{ rule_type: 'NOT_NULL', column_name: 'id' }], metrics: [percentile] },
        },
      },
      unmapped: [],
      hidden: [],
    });
  });

  it('lists the fields that the service does not show, and not those that it does', async () => {
    const { fake, client } = setUp();
    const rule = { rule_type: 'NOT_NULL', table_path: table, column_name: 'id' } as const;
    const { uuid } = await client.validity.create(assetId, rule);
    const shown = { table_path: table, column_name: 'amount', metric_type: 'avg_value' };
    const items = [
      { ...shown, id: 'm_1' },
      { ...shown, id: 'm_2', column_name: 'total', group_by_columns: ['state'] },
    ];
    fake.failNext({ on: 'GET */metrics/*', body: JSON.stringify({ data: { items } }) });
    const { definition, hidden } = await exportRules(client, assetId);
    expect(hidden).toMatchObject([
      { kind: 'rule', id: uuid, label: 'NOT_NULL', fields: ['error_message'] },
      { kind: 'metric', id: 'm_1', label: 'avg_value', fields: ['group_by_columns'] },
    ]);
    expect(definition.tables[table]?.metrics).toMatchObject([
      { metric_type: 'avg_value', column_name: 'amount' },
      { metric_type: 'avg_value', column_name: 'total', group_by_columns: ['state'] },
    ]);
  });
});
