import { exportRules, plan, hasChanges } from 'data-quality-client/rules';
import { describe, expect, it } from 'vitest';

import { assetId, setUp, table } from './fake.ts';

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
    expect(definition).toEqual({
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
        label: 'LENGTH',
        reason: expect.stringContaining('rule_type: must be one of') as string,
      },
      { kind: 'metric', id: 'm_1', label: 'metric', reason: 'it has no table' },
    ]);
    expect((await exportRules(client, assetId)).unmapped).toMatchObject([
      { kind: 'rule', label: 'NOT_NULL', reason: 'another one has the same key' },
      { kind: 'metric', label: 'percentile', reason: 'the service does not show its percentile_value' },
    ]);
  });
});
