import { InvalidRequestError } from 'data-quality-client';
import {
  apply,
  type Definition,
  hasChanges,
  parseDefinition,
  plan,
  renderChanges,
} from 'data-quality-client/rules';
import { describe, expect, it } from 'vitest';

import { assetId, define, setUp, table } from './fake.ts';

const amount = {
  name: 'amount',
  rule_type: 'RANGE',
  column_name: 'amount',
  rule_config: { min: 0 },
} as const;

function percentile(percentile_value: number) {
  return { metric_type: 'percentile', column_name: 'amount', percentile_value } as const;
}

/** A metric as a service would list it that shows all of its key. */
function shown(id: string, percentile_value: number | null, group_by_columns: string[] | null) {
  const metric_type = percentile_value === null ? 'null_percent' : 'percentile';
  return { id, table_path: table, column_name: 'amount', metric_type, percentile_value, group_by_columns };
}

/** Of its entries, each has a field that no response carries. */
function hidden(error_message: string, percentile_value: number): Definition {
  return define({
    rules: [{ ...amount, error_message }],
    metrics: [
      { metric_type: 'percentile', column_name: 'amount', percentile_value, group_by_columns: ['state'] },
    ],
  });
}

describe('plan', () => {
  it('plans to create what the service lacks, and changes nothing itself', async () => {
    const { client, writes } = setUp();
    const changes = await plan(
      client,
      assetId,
      define({ rules: [amount], metrics: [{ metric_type: 'row_count' }] }),
    );
    expect(changes.create).toEqual([
      {
        kind: 'rule',
        action: 'create',
        table_path: table,
        column_name: 'amount',
        label: 'amount',
        body: { ...amount, table_path: table },
        is_active: true,
      },
      {
        kind: 'metric',
        action: 'create',
        table_path: table,
        column_name: null,
        label: 'row_count',
        body: { metric_type: 'row_count', table_path: table },
        is_active: true,
      },
    ]);
    expect(hasChanges(changes)).toBe(true);
    expect(writes()).toEqual([]);
  });

  it('is empty after it was applied', async () => {
    const { client } = setUp();
    const definition = define({
      rules: [amount, { rule_type: 'NOT_NULL', column_name: 'amount', is_active: false }],
      metrics: [{ metric_type: 'row_count', sensitivity: 2, is_active: false }],
    });
    await apply(client, await plan(client, assetId, definition));
    const changes = await plan(client, assetId, definition);
    expect(hasChanges(changes)).toBe(false);
    expect(changes.unchanged.map(({ uncompared }) => uncompared)).toEqual([[], [], []]);
  });

  it.each([
    ['severity', { severity: 'critical' }, 'warning', 'critical'],
    ['description', { description: 'why' }, null, 'why'],
    ['alert_threshold_percent', { alert_threshold_percent: 2.5 }, null, 2.5],
    ['treat_null_as_valid', { treat_null_as_valid: true }, false, true],
    ['check_interval', { check_interval: 'weekly' }, 'daily', 'weekly'],
    ['is_active', { is_active: false }, true, false],
  ] as const)('updates %s, and back to the default if it is left out', async (field, fields, from, to) => {
    const { client } = setUp();
    await apply(client, await plan(client, assetId, define({ rules: [amount] })));
    const there = await plan(client, assetId, define({ rules: [{ ...amount, ...fields }] }));
    expect(there.update).toMatchObject([{ patch: { [field]: to }, differences: [{ field, from, to }] }]);
    await apply(client, there);
    const back = await plan(client, assetId, define({ rules: [amount] }));
    expect(back.update).toMatchObject([{ differences: [{ field }] }]);
    await apply(client, back);
    expect(hasChanges(await plan(client, assetId, define({ rules: [amount] })))).toBe(false);
  });

  it('replaces if the type or the configuration differs', async () => {
    const { client } = setUp();
    await apply(client, await plan(client, assetId, define({ rules: [amount] })));
    const wider = await plan(
      client,
      assetId,
      define({ rules: [{ ...amount, rule_config: { min: 0, max: 9 } }] }),
    );
    expect(wider.replace).toMatchObject([
      { requires: 'replace', differences: [{ field: 'rule_config.max', from: undefined, to: 9 }] },
    ]);
    const other = define({ rules: [{ name: 'amount', rule_type: 'NOT_NULL', column_name: 'amount' }] });
    expect((await plan(client, assetId, other)).replace).toMatchObject([
      { differences: [{ field: 'rule_type', from: 'RANGE', to: 'NOT_NULL' }, { field: 'rule_config.min' }] },
    ]);
  });

  it('takes the same configuration in other words as unchanged', async () => {
    const { client } = setUp();
    const states = { name: 'state', rule_type: 'ENUM', column_name: 'state' } as const;
    const written = (allowed_values: (string | number | null)[]): Definition =>
      define({ rules: [{ ...states, rule_config: { allowed_values } }] });
    await apply(client, await plan(client, assetId, written(['open', 1, null])));
    expect(hasChanges(await plan(client, assetId, written([null, 'open', 1, 'open'])))).toBe(false);
    expect((await plan(client, assetId, written(['open', '1', null]))).replace).toHaveLength(1);
  });

  it('shows drift made by hand: changed, deleted and added', async () => {
    const { client } = setUp();
    const definition = define({
      rules: [amount, { ...amount, name: 'other' }],
      metrics: [{ metric_type: 'row_count' }],
    });
    await apply(client, await plan(client, assetId, definition));
    const [first, second] = await client.validity.list(assetId).toArray();
    const [metric] = await client.metrics.list(assetId).toArray();
    await client.validity.update(assetId, first?.uuid ?? '', { severity: 'info' });
    await client.validity.delete(assetId, second?.uuid ?? '');
    await client.metrics.update(assetId, metric?.id ?? '', { capture_interval: 'hourly' });
    await client.validity.create(assetId, {
      rule_type: 'UNIQUE',
      table_path: 'shop.sales.items',
      column_name: 'id',
    });
    const changes = await plan(client, assetId, definition);
    expect(changes.update.map(({ patch }) => patch)).toEqual([
      { severity: 'warning' },
      { capture_interval: 'daily' },
    ]);
    expect(changes.create).toHaveLength(1);
    expect(changes.delete).toMatchObject([
      { label: 'UNIQUE', table_path: 'shop.sales.items', requires: 'prune' },
    ]);
  });

  it('names what no response includes, and never treats it as a difference', async () => {
    const { client } = setUp();
    await apply(client, await plan(client, assetId, hidden('too low', 95)));
    const changes = await plan(client, assetId, hidden('far too low', 99));
    expect(changes.unchanged).toMatchObject([
      { uncompared: ['error_message'] },
      { uncompared: ['percentile_value', 'group_by_columns'] },
    ]);
    expect(renderChanges(changes)).toContain(
      `Not compared, because the service does not show these fields:
  rule ${table} amount: amount: error_message
  metric ${table} amount: percentile 99 by state: percentile_value, group_by_columns

0 to create, 0 to update, 0 to replace, 0 to delete, 2 unchanged.`,
    );
  });

  it('keys a rule by its name within table and column', async () => {
    const { client } = setUp();
    await apply(client, await plan(client, assetId, define({ rules: [amount] })));
    const elsewhere = await plan(client, assetId, define({ rules: [{ ...amount, column_name: 'total' }] }));
    expect([elsewhere.create.length, elsewhere.delete.length]).toEqual([1, 1]);
    const renamed = await plan(client, assetId, define({ rules: [{ ...amount, name: 'total' }] }));
    expect([renamed.create.length, renamed.delete.length]).toEqual([1, 1]);
  });

  it('takes a rule the service named itself for one without a name, if it is equal', async () => {
    const { client } = setUp();
    const { name: _, ...unnamed } = amount;
    await client.validity.create(assetId, { ...unnamed, table_path: table, name: 'RANGE of amount' });
    expect(hasChanges(await plan(client, assetId, define({ rules: [unnamed] })))).toBe(false);
    const other = await plan(client, assetId, define({ rules: [{ ...unnamed, rule_config: { min: 1 } }] }));
    expect([other.create.length, other.replace.length, other.delete.length]).toEqual([1, 0, 1]);
  });

  it('keeps the copy that fits if the service has two of a key', async () => {
    const { client } = setUp();
    await client.validity.create(assetId, { ...amount, table_path: table, rule_config: { min: 5 } });
    const fitting = await client.validity.create(assetId, { ...amount, table_path: table });
    await client.validity.create(assetId, { ...amount, table_path: table, severity: 'info' });
    const changes = await plan(client, assetId, define({ rules: [amount] }));
    expect(changes.unchanged).toMatchObject([{ id: fitting.uuid }]);
    expect(changes.delete.map(({ requires }) => requires)).toEqual(['prune', 'replace']);
  });

  it('treats null as the default and does not compare what the response lacks', async () => {
    const { fake, client } = setUp();
    await apply(client, await plan(client, assetId, define({ rules: [amount] })));
    const [rule] = await client.validity.list(assetId).toArray();
    const answer = {
      id: 1,
      uuid: rule?.uuid,
      rule_type: 'RANGE',
      rule_config: { min: 0, max: null },
      severity: null,
    };
    fake.failNext({ on: 'GET */v_*', body: JSON.stringify({ data: answer }) });
    const changes = await plan(client, assetId, define({ rules: [{ ...amount, check_interval: 'hourly' }] }));
    expect(changes.unchanged).toMatchObject([{ uncompared: ['check_interval'] }]);
  });

  it.each([
    [{}, ['rule_config']],
    [{ rule_type: null, rule_config: { min: 0 } }, []],
  ])('does not compare type and configuration if the response has %j', async (fields, uncompared) => {
    const { fake, client } = setUp();
    await apply(client, await plan(client, assetId, define({ rules: [amount] })));
    const [rule] = await client.validity.list(assetId).toArray();
    fake.failNext({
      on: 'GET */v_*',
      body: JSON.stringify({ data: { id: 1, uuid: rule?.uuid, name: 'amount', ...fields } }),
    });
    const changes = await plan(client, assetId, define({ rules: [amount] }));
    expect(changes.unchanged).toMatchObject([{ uncompared }]);
  });

  it('replaces a rule whose configuration is null by one that has a configuration', async () => {
    const { fake, client } = setUp();
    await apply(client, await plan(client, assetId, define({ rules: [amount] })));
    const [rule] = await client.validity.list(assetId).toArray();
    const detail = { id: 1, uuid: rule?.uuid, rule_type: 'RANGE', rule_config: null };
    fake.failNext({ on: 'GET */v_*', body: JSON.stringify({ data: detail }) });
    const changes = await plan(client, assetId, define({ rules: [amount] }));
    expect(changes.replace).toMatchObject([
      { differences: [{ field: 'rule_config.min', from: undefined, to: 0 }] },
    ]);
  });

  it('adopts the oldest of several rules that the service named itself', async () => {
    const { client } = setUp();
    const { name: _, ...unnamed } = amount;
    const [oldest, newer] = [
      await client.validity.create(assetId, { ...unnamed, table_path: table, name: 'RANGE 1' }),
      await client.validity.create(assetId, { ...unnamed, table_path: table, name: 'RANGE 2' }),
    ];
    const changes = await plan(client, assetId, define({ rules: [unnamed] }));
    expect(changes.unchanged).toMatchObject([{ id: oldest.uuid }]);
    expect(changes.delete).toMatchObject([{ id: newer.uuid, reason: 'not in the definition' }]);
  });

  it('does not adopt a rule of the name that another one of the definition has', async () => {
    const { client } = setUp();
    const { name: _, ...unnamed } = amount;
    const { uuid } = await client.validity.create(assetId, { ...amount, table_path: table });
    const changes = await plan(client, assetId, define({ rules: [unnamed, amount] }));
    expect(changes.unchanged).toMatchObject([{ id: uuid, label: 'amount' }]);
    expect(changes.create).toMatchObject([{ label: 'RANGE' }]);
  });

  it('replaces a rule without a name if its configuration differs, and no rule of another type', async () => {
    const { client } = setUp();
    const { name: _, ...unnamed } = amount;
    const range = await client.validity.create(assetId, { ...unnamed, table_path: table });
    const unique = { rule_type: 'UNIQUE', column_name: 'amount' } as const;
    const { uuid } = await client.validity.create(assetId, { ...unique, table_path: table });
    const wider = { ...unnamed, rule_config: { min: -1 } };
    const presence = { rule_type: 'NOT_NULL', column_name: 'amount' } as const;
    const changes = await plan(client, assetId, define({ rules: [wider, presence] }));
    expect(changes.replace).toMatchObject([{ id: range.uuid }]);
    expect(changes.create).toMatchObject([{ label: 'NOT_NULL' }]);
    expect(changes.delete).toMatchObject([{ id: uuid, reason: 'not in the definition' }]);
  });

  it('keeps the oldest of equal copies, in whatever order they are listed', async () => {
    const { fake, client } = setUp();
    const oldest = await client.validity.create(assetId, { ...amount, table_path: table });
    await client.validity.create(assetId, { ...amount, table_path: table });
    await client.validity.create(assetId, { ...amount, table_path: table });
    const items = await client.validity.list(assetId).toArray();
    const order = [2, 0, 1].map((at) => items.toSorted((a, b) => a.id - b.id)[at]);
    fake.failNext({ on: 'GET */validity/*', body: JSON.stringify({ data: { items: order } }) });
    const changes = await plan(client, assetId, define({ rules: [amount] }));
    expect(changes.unchanged).toMatchObject([{ id: oldest.uuid }]);
    expect(changes.delete.map(({ id }) => id)).toEqual(
      items.filter(({ uuid }) => uuid !== oldest.uuid).map(({ uuid }) => uuid),
    );
  });

  it('leaves a rule alone that the definition keeps without describing it', async () => {
    const { client } = setUp();
    const { uuid } = await client.validity.create(assetId, { ...amount, table_path: table });
    const changes = await plan(client, assetId, { ...define({}), keep: [{ id: uuid }, { id: 'v_gone' }] });
    expect(changes).toMatchObject({ delete: [], unchanged: [], kept: [uuid] });
  });

  it('lists freshness and destinations, which the service has no endpoint for, as not applied', async () => {
    const { client } = setUp();
    const changes = await plan(client, assetId, {
      destinations: [
        { name: 'ops', url: 'https://hooks.example.com/dq' },
        { url: 'https://hooks.example.com/s3cret/path' },
      ],
      freshness: { max_age: '24h' },
      tables: { [table]: { freshness: { max_age: '90m' } }, 'shop.sales.items': {} },
    });
    expect(changes.notApplied).toEqual([
      { part: 'freshness', name: null },
      { part: 'freshness', name: table },
      { part: 'destination', name: 'ops' },
      { part: 'destination', name: 'https://hooks.example.com' },
    ]);
    expect(hasChanges(changes)).toBe(false);
    expect(renderChanges(changes)).toBe(`Not applied, because the service has no endpoint for it:
  freshness of the asset: dq gate and dq serve read it with --definition
  freshness of ${table}: dq gate and dq serve read it with --definition
  destination of ops: dq serve reads it with --definition
  destination of https://hooks.example.com: dq serve reads it with --definition

0 to create, 0 to update, 0 to replace, 0 to delete, 0 unchanged.
`);
  });

  it('plans again what disappears while it reads', async () => {
    const { fake, client } = setUp();
    await apply(client, await plan(client, assetId, define({ rules: [amount] })));
    fake.failNext({
      on: 'GET */v_*',
      status: 404,
      body: JSON.stringify({ error: { code: 'RULE_NOT_FOUND', message: 'gone', details: {} } }),
    });
    const changes = await plan(client, assetId, define({ rules: [amount] }));
    expect([changes.create.length, changes.delete.length]).toEqual([1, 0]);
  });

  it('does not plan without what the service refuses to show', async () => {
    const { fake, client } = setUp();
    await apply(client, await plan(client, assetId, define({ rules: [amount] })));
    fake.failNext({ on: 'GET */v_*', status: 403 });
    await expect(plan(client, assetId, define({ rules: [amount] }))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('takes the definition that YAML was read to', async () => {
    const { client } = setUp();
    const yaml = `tables:\n  ${table}:\n    rules:\n      - { rule_type: NOT_NULL, column_name: id }\n`;
    expect((await plan(client, assetId, parseDefinition(yaml))).create).toHaveLength(1);
  });

  it.each([
    ['tables: {}', 'the definition: is text, not an object: read it with parseDefinition'],
    [{ tables: 3 }, 'tables: expected object, got number'],
  ])('refuses %j before any request', async (definition, message) => {
    const { fake, client } = setUp();
    const before = fake.requests.length;
    // Whoever writes JavaScript can pass anything.
    const planned = plan(client, assetId, definition as unknown as Definition);
    await expect(planned).rejects.toThrow(InvalidRequestError);
    await expect(planned).rejects.toThrow(message);
    expect(fake.requests).toHaveLength(before);
  });
});

describe('metrics that only differ in what is not shown', () => {
  it('are matched in the order in which they were created', async () => {
    const { client } = setUp();
    const both = define({ metrics: [percentile(50), { ...percentile(95), sensitivity: 3 }] });
    await apply(client, await plan(client, assetId, both));
    expect(hasChanges(await plan(client, assetId, both))).toBe(false);
    const longer = define({
      metrics: [percentile(50), { ...percentile(95), sensitivity: 3 }, percentile(99)],
    });
    expect((await plan(client, assetId, longer)).create).toMatchObject([{ label: 'percentile 99' }]);
  });

  it('are all created again, the old ones deleted, if one has to go', async () => {
    const { fake, client } = setUp();
    await apply(client, await plan(client, assetId, define({ metrics: [percentile(50), percentile(95)] })));
    const one = define({ metrics: [percentile(95)] });
    const changes = await plan(client, assetId, one);
    expect(changes.create).toMatchObject([{ label: 'percentile 95', requires: 'prune' }]);
    expect(changes.delete).toHaveLength(2);
    await apply(client, changes);
    expect(await client.metrics.list(assetId).toArray()).toHaveLength(2);
    await apply(client, changes, { prune: true });
    expect(await client.metrics.list(assetId).toArray()).toHaveLength(1);
    expect(fake.requests.findLast(({ method }) => method === 'POST')?.body).toMatchObject({
      percentile_value: 95,
    });
    expect(hasChanges(await plan(client, assetId, one))).toBe(false);
  });
});

describe('metrics that a service lists in any order', () => {
  it('are matched by their age, the oldest first', async () => {
    const { fake, client } = setUp();
    const items = [3, 1, 2].map((internal_id) => ({
      id: `m_${internal_id}`,
      internal_id,
      table_path: table,
      column_name: 'amount',
      metric_type: 'percentile',
      sensitivity: internal_id,
    }));
    fake.failNext({ on: 'GET */metrics/*', body: JSON.stringify({ data: { items } }) });
    const metrics = [1, 2, 3].map((sensitivity) =>
      Object.assign(percentile(90 + sensitivity), { sensitivity }),
    );
    const changes = await plan(client, assetId, define({ metrics }));
    expect(changes.unchanged.map(({ id }) => id)).toEqual(['m_1', 'm_2', 'm_3']);
  });

  it('are deleted under their type, or as metrics if they have none', async () => {
    const { fake, client } = setUp();
    const items = [
      { id: 'm_1', table_path: table, metric_type: 'row_count' },
      { id: 'm_2', metric_type: null },
    ];
    fake.failNext({ on: 'GET */metrics/*', body: JSON.stringify({ data: { items } }) });
    expect((await plan(client, assetId, define({}))).delete).toMatchObject([
      { id: 'm_1', table_path: table, column_name: null, label: 'row_count' },
      { id: 'm_2', table_path: '', column_name: null, label: 'metric' },
    ]);
  });
});

describe('metrics of a service that shows their keys', () => {
  it('are not the same if their groups differ', async () => {
    const { fake, client } = setUp();
    const items = [shown('m_0', null, ['b'])];
    fake.failNext({ on: 'GET */metrics/*', body: JSON.stringify({ data: { items } }) });
    const metric = { metric_type: 'null_percent', column_name: 'amount' } as const;
    const changes = await plan(
      client,
      assetId,
      define({ metrics: [{ ...metric, group_by_columns: ['a'] }] }),
    );
    expect(changes.create).toMatchObject([{ label: 'null_percent by a' }]);
    expect(changes.delete).toMatchObject([{ id: 'm_0' }]);
  });

  it.each([
    [
      'of one of them only',
      [shown('m_50', 50, []), { ...shown('m_95', 95, []), percentile_value: undefined }],
    ],
    [
      'without the groups',
      [50, 95].map((value) => Object.assign(shown(`m_${value}`, value, []), { group_by_columns: undefined })),
    ],
  ])('are all created again if it shows the key %s', async (_which, items) => {
    const { fake, client } = setUp();
    fake.failNext({ on: 'GET */metrics/*', body: JSON.stringify({ data: { items } }) });
    const changes = await plan(client, assetId, define({ metrics: [percentile(50)] }));
    expect(changes.create).toMatchObject([{ label: 'percentile 50', requires: 'prune' }]);
    expect(changes.delete.map(({ id }) => id)).toEqual(['m_50', 'm_95']);
  });

  it('are matched by them', async () => {
    const { fake, client } = setUp();
    const items = [shown('m_95', 95, null), shown('m_50', 50, []), shown('m_0', null, ['b', 'a'])];
    fake.failNext({ on: 'GET */metrics/*', body: JSON.stringify({ data: { items } }) });
    const definition = define({
      metrics: [
        percentile(50),
        { metric_type: 'null_percent', column_name: 'amount', group_by_columns: ['a', 'b'] },
        percentile(99),
      ],
    });
    const changes = await plan(client, assetId, definition);
    expect(changes.unchanged).toMatchObject([
      { id: 'm_50', uncompared: [] },
      { id: 'm_0', uncompared: [] },
    ]);
    expect(changes.create).toMatchObject([{ label: 'percentile 99' }]);
    expect(changes.delete).toMatchObject([{ id: 'm_95', requires: 'prune' }]);
  });
});

describe('renderChanges', () => {
  it('shows each change with what differs', async () => {
    const { client } = setUp();
    await apply(
      client,
      await plan(client, assetId, define({ rules: [amount, { rule_type: 'UNIQUE', column_name: 'id' }] })),
    );
    const changes = await plan(
      client,
      assetId,
      define({
        rules: [
          { ...amount, rule_config: { min: 1 }, severity: 'info', error_message: 'no' },
          { rule_type: 'NOT_NULL', column_name: 'id\u001b[2J' },
        ],
      }),
    );
    expect(renderChanges(changes)).toBe(`shop.sales.orders
    + create rule id\u{fffd}[2J: NOT_NULL
  -/+ replace rule amount: amount (requires replace)
        rule_config.min: 0 → 1
        severity: "warning" → "info"
        error_message: not shown by the service, so not compared
    - delete rule id: UNIQUE: not in the definition (requires prune)

1 to create, 0 to update, 1 to replace, 1 to delete, 0 unchanged.
`);
  });
});
