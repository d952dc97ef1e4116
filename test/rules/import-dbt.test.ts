import { InvalidRequestError } from 'data-quality-client';
import { importDbt } from 'data-quality-client/rules';
import { describe, expect, it } from 'vitest';

const orders = {
  resource_type: 'model',
  name: 'orders',
  alias: 'orders_v2',
  database: 'shop',
  schema: 'sales',
};

/** A manifest with one test of `orders`, as recent versions of dbt write it. */
function manifest(name: string, kwargs: object, fields: object = {}): object {
  const [namespace, short] = name.includes('.') ? name.split('.') : [null, name];
  return {
    metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' },
    nodes: {
      'model.shop.orders': orders,
      'test.shop.it': {
        resource_type: 'test',
        name: 'it',
        column_name: 'amount',
        attached_node: 'model.shop.orders',
        test_metadata: { name: short, namespace, kwargs: { column_name: 'amount', ...kwargs } },
        config: { severity: 'ERROR', where: null, error_if: '!= 0', warn_if: '!= 0' },
        ...fields,
      },
    },
    sources: {},
  };
}

function ruleOf(source: object): unknown {
  const { definition, unmapped } = importDbt(source);
  expect(unmapped).toEqual([]);
  return definition.tables['shop.sales.orders_v2']?.rules?.[0];
}

/** A manifest with a source and nothing else. */
function withSource(fields: object): object {
  const source = {
    resource_type: 'source',
    name: 'events',
    identifier: 'events_v1',
    database: 'shop',
    schema: 'raw',
  };
  return { nodes: {}, sources: { 'source.shop.raw.events': { ...source, ...fields } } };
}

const named = { name: 'it', column_name: 'amount', severity: 'critical' };

describe('importDbt', () => {
  it.each([
    ['not_null', {}, { rule_type: 'NOT_NULL' }],
    ['unique', {}, { rule_type: 'UNIQUE', treat_null_as_valid: true }],
    [
      'accepted_values',
      { values: ['a', 'b'] },
      { rule_type: 'ENUM', rule_config: { allowed_values: ['a', 'b'] }, treat_null_as_valid: true },
    ],
    [
      'accepted_values',
      { values: ['1', '2'], quote: false },
      { rule_type: 'ENUM', rule_config: { allowed_values: [1, 2] }, treat_null_as_valid: true },
    ],
    [
      'dbt_utils.accepted_range',
      { min_value: 0, max_value: '10' },
      { rule_type: 'RANGE', rule_config: { min: 0, max: 10 }, treat_null_as_valid: true },
    ],
    [
      'dbt_expectations.expect_column_values_to_be_between',
      { min_value: 0, max_value: null, strictly: false },
      { rule_type: 'RANGE', rule_config: { min: 0 }, treat_null_as_valid: true },
    ],
    [
      'dbt_expectations.expect_column_values_to_match_regex',
      { regex: '^[A-Z]+$' },
      { rule_type: 'REGEX', rule_config: { pattern: '^[A-Z]+$' }, treat_null_as_valid: true },
    ],
    [
      'dbt_expectations.expect_column_values_to_match_regex_list',
      { regex_list: ['^a', 'b$'] },
      { rule_type: 'REGEX', rule_config: { pattern: '(?:^a)|(?:b$)' }, treat_null_as_valid: true },
    ],
    ['dbt_expectations.expect_column_values_to_not_be_null', {}, { rule_type: 'NOT_NULL' }],
    [
      'dbt_utils.expression_is_true',
      { expression: '>= 0' },
      { rule_type: 'CUSTOM_SQL', rule_config: { sql_expression: 'coalesce((amount >= 0), true)' } },
    ],
  ])('maps %s with %j', (name, kwargs, rule) => {
    expect(ruleOf(manifest(name, kwargs))).toEqual({ ...named, ...rule });
  });

  it('maps relationships to a condition on the values of the other table', () => {
    const source = manifest(
      'relationships',
      { to: "ref('customers')", field: 'id' },
      { depends_on: { nodes: ['model.shop.customers', 'model.shop.orders'] } },
    ) as { nodes: Record<string, unknown> };
    source.nodes['model.shop.customers'] = { ...orders, name: 'customers', alias: 'customers' };
    const sql_expression =
      'amount IS NULL OR amount IN (SELECT id FROM shop.sales.customers WHERE id IS NOT NULL)';
    expect(ruleOf(source)).toEqual({ ...named, rule_type: 'CUSTOM_SQL', rule_config: { sql_expression } });
  });

  it.each([
    [{}, 'a', 'b'],
    [{ quote_columns: true }, '"a"', '"b"'],
  ])(
    'maps a unique combination of columns with %j to a condition in which nulls are equal',
    (options, a, b) => {
      const kwargs = { combination_of_columns: ['a', 'b'], ...options };
      const repeated = `SELECT ${a} AS repeated_0, ${b} AS repeated_1 FROM shop.sales.orders_v2 GROUP BY ${a}, ${b} HAVING count(*) > 1`;
      const isSame = `repeated_0 IS NOT DISTINCT FROM ${a} AND repeated_1 IS NOT DISTINCT FROM ${b}`;
      const source = manifest('dbt_utils.unique_combination_of_columns', kwargs);
      expect(ruleOf(source)).toMatchObject({
        rule_type: 'CUSTOM_SQL',
        rule_config: {
          sql_expression: `NOT EXISTS (SELECT 1 FROM (${repeated}) AS repeated WHERE ${isSame})`,
        },
      });
    },
  );

  it.each([null, ''])('leaves a database of %j out of the table path', (database) => {
    const source = manifest('not_null', {}) as { nodes: Record<string, unknown> };
    source.nodes['model.shop.orders'] = { ...orders, database };
    expect(Object.keys(importDbt(source).definition.tables)).toEqual(['sales.orders_v2']);
  });

  it('takes over severity, description, activity and a quoted column', () => {
    const fields = { description: 'why', config: { severity: 'warn', enabled: false } };
    expect(ruleOf(manifest('not_null', { column_name: '"Amount"' }, fields))).toEqual({
      name: 'it',
      rule_type: 'NOT_NULL',
      column_name: 'Amount',
      description: 'why',
      is_active: false,
    });
  });

  it.each([
    ['relationships', {}, {}, 'to: the relation it refers to'],
    ['dbt_utils.accepted_range', { min_value: 0, inclusive: false }, {}, 'inclusive'],
    ['dbt_utils.accepted_range', { min_value: 'current_date' }, {}, 'not SQL'],
    ['dbt_utils.accepted_range', {}, {}, 'needs min or max'],
    ['dbt_expectations.expect_column_values_to_match_regex', { regex: 'a', flags: 'i' }, {}, 'flags'],
    ['dbt_expectations.expect_column_values_to_be_unique', { row_condition: 'a > 1' }, {}, 'row_condition'],
    ['not_null', {}, { config: { where: 'amount > 0' } }, 'where'],
    ['not_null', {}, { config: { error_if: '>10' } }, 'error_if: >10 counts rows'],
    ['not_null', {}, { test_metadata: null }, 'singular'],
    ['not_null', {}, { attached_node: 'model.shop.none' }, 'not in the manifest'],
    ['constructor', {}, {}, 'no rule type'],
  ])('lists %s with %j %j as unmapped', (name, kwargs, fields, reason) => {
    const { definition, unmapped } = importDbt(manifest(name, kwargs, fields));
    expect(definition).toEqual({ tables: {} });
    expect(unmapped).toMatchObject([
      { unique_id: 'test.shop.it', reason: expect.stringContaining(reason) as string },
    ]);
  });

  it('finds the relation by its ref if the manifest is old, and can name tables in other ways', () => {
    const source = manifest(
      'not_null',
      { model: "{{ ref('orders') }}" },
      { attached_node: undefined, depends_on: { nodes: ['model.shop.other', 'model.shop.orders'] } },
    ) as { nodes: Record<string, unknown> };
    source.nodes['model.shop.other'] = { ...orders, name: 'other', alias: 'other' };
    expect(ruleOf(source)).toMatchObject(named);
    const { definition } = importDbt(source, { tablePath: ({ schema, name }) => `prod.${schema}.${name}` });
    expect(Object.keys(definition.tables)).toEqual(['prod.sales.orders_v2']);
  });

  it('lists tests of the same name on one column', () => {
    const source = manifest('not_null', {}) as { nodes: Record<string, unknown> };
    source.nodes['test.shop.again'] = source.nodes['test.shop.it'];
    expect(importDbt(JSON.stringify(source)).unmapped).toMatchObject([
      { unique_id: 'test.shop.again', reason: 'another one has the same key' },
    ]);
  });

  it.each([
    [
      { error_after: { count: 24, period: 'hour' }, warn_after: { count: null, period: null } },
      'at',
      '24h',
      [],
    ],
    [{ warn_after: { count: 2, period: 'day' } }, '"at"', '2d', []],
    [
      { error_after: { count: 90, period: 'minute' }, warn_after: { count: 1, period: 'hour' } },
      'at',
      '90m',
      ['warn_after 1h: a table has one oldest age, which is that of error_after'],
    ],
  ])('takes over the freshness %j of a source', (freshness, loaded_at_field, max_age, reasons) => {
    const { definition, unmapped } = importDbt(withSource({ freshness, loaded_at_field }));
    expect(definition.tables['shop.raw.events_v1']).toEqual({
      freshness: { max_age, timestamp_column: 'at' },
    });
    expect(unmapped.map(({ reason }) => reason)).toEqual(reasons);
  });

  it('lists what of a freshness a definition can not express, and reads it from the config too', () => {
    const freshness = { error_after: { count: 1, period: 'day' } };
    const loaded_at_field = 'cast(at as timestamp)';
    const cast = importDbt(withSource({ config: { freshness, loaded_at_field } }));
    expect(cast.definition.tables['shop.raw.events_v1']).toEqual({ freshness: { max_age: '1d' } });
    expect(cast.unmapped).toMatchObject([
      {
        table_path: 'shop.raw.events_v1',
        reason: `loaded_at_field ${loaded_at_field}: a timestamp_column is the name of a column`,
      },
    ]);
    const filtered = importDbt(withSource({ freshness: { ...freshness, filter: 'id > 1' } }));
    expect(filtered.definition.tables).toEqual({});
    expect(filtered.unmapped).toMatchObject([
      { reason: 'filter: freshness looks at every row, not only id > 1' },
    ]);
    expect(importDbt(withSource({ freshness: { error_after: { count: null } } })).unmapped).toEqual([]);
  });

  it.each([
    ['dbt_expectations.expect_table_row_count_to_equal', { value: 3 }, '{own} >= 3 AND {own} <= 3'],
    ['dbt_expectations.expect_table_row_count_to_be_between', { min_value: '1' }, '{own} >= 1'],
    [
      'dbt_expectations.expect_table_row_count_to_be_between',
      { min_value: 1, max_value: 9, strictly: true },
      '{own} > 1 AND {own} < 9',
    ],
    ['dbt_utils.equal_rowcount', { compare_model: "ref('orders')" }, '{own} = {own}'],
    ['dbt_utils.fewer_rows_than', { compare_model: "ref('orders')" }, '{own} < {own}'],
    [
      'dbt_expectations.expect_table_row_count_to_equal_other_table',
      { compare_model: "ref('orders')", factor: 2 },
      '{own} = {own} * 2',
    ],
  ])('maps %s with %j to a condition on the number of rows', (name, kwargs, condition) => {
    const fields = { depends_on: { nodes: ['model.shop.orders'] }, column_name: null };
    const sql_expression = condition.replaceAll('{own}', '(SELECT count(*) FROM shop.sales.orders_v2)');
    expect(ruleOf(manifest(name, { column_name: undefined, ...kwargs }, fields))).toEqual({
      name: 'it',
      severity: 'critical',
      rule_type: 'CUSTOM_SQL',
      rule_config: { sql_expression },
    });
  });

  it.each([
    ['dbt_expectations.expect_table_row_count_to_equal', { value: 'x' }, 'are numbers'],
    ['dbt_expectations.expect_table_row_count_to_be_between', {}, 'one of them at least'],
    ['dbt_expectations.expect_table_row_count_to_be_between', { min_value: 1, group_by: ['a'] }, 'group_by'],
    ['dbt_utils.equal_rowcount', { compare_model: "ref('none')" }, 'compare_model'],
  ])('lists %s with %j as unmapped', (name, kwargs, reason) => {
    const [left] = importDbt(manifest(name, kwargs)).unmapped;
    expect(left?.reason).toContain(reason);
  });

  it.each([
    ['its own meta', { config: { meta: { owner: 'ann' } }, tags: ['nightly'] }, {}, 'ann', ['nightly']],
    [
      'the meta of the model',
      { tags: 'pii' },
      { meta: { owner: { email: 'a@b.c' } }, tags: ['lake', 'pii'] },
      'a@b.c',
      ['pii', 'lake'],
    ],
    ['the group of the model', {}, { config: { group: 'finance' } }, 'Finance', undefined],
  ])(
    'takes the owner from %s, and the tags of the test and of the model',
    (_from, test, model, owner, tags) => {
      const source = manifest('not_null', {}, test) as { nodes: Record<string, unknown>; groups?: unknown };
      source.nodes['model.shop.orders'] = { ...orders, ...model };
      source.groups = {
        'group.shop.finance': { name: 'finance', owner: { name: 'Finance', email: 'f@b.c' } },
      };
      const [rule] = importDbt(source).definition.tables['shop.sales.orders_v2']?.rules ?? [];
      expect(rule).toMatchObject({ owner, ...(tags && { tags }) });
    },
  );

  it('leaves out the tags that old versions of dbt give to every test', () => {
    const source = { ...manifest('not_null', {}, { tags: ['schema', 'mine'] }) };
    const metadata = { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v1.json' };
    expect(ruleOf({ ...source, metadata })).toMatchObject({ tags: ['mine'] });
    expect(ruleOf(source)).toMatchObject({ tags: ['schema', 'mine'] });
  });

  it('returns what the last run found about the tests of the manifest', () => {
    const runResults = {
      metadata: {
        dbt_schema_version: 'https://schemas.getdbt.com/dbt/run-results/v6.json',
        generated_at: '2026-11-21T05:00:00Z',
      },
      results: [
        { unique_id: 'model.shop.orders', status: 'success' },
        { unique_id: 'test.shop.it', status: 'fail', failures: 3, message: 'Got 3 results' },
      ],
    };
    const { lastRun } = importDbt(manifest('not_null', {}), { runResults: JSON.stringify(runResults) });
    expect(lastRun).toEqual({
      generated_at: '2026-11-21T05:00:00Z',
      tests: [
        { unique_id: 'test.shop.it', name: 'it', status: 'fail', failures: 3, message: 'Got 3 results' },
      ],
    });
    expect(importDbt(manifest('not_null', {}))).not.toHaveProperty('lastRun');
  });

  it('refuses a manifest and results of a run in place of each other', () => {
    const results = {
      metadata: { dbt_schema_version: 'https://x/dbt/run-results/v6.json' },
      nodes: {},
      results: [],
    };
    expect(() => importDbt(results)).toThrow('is not a manifest, but https://x/dbt/run-results/v6.json');
    expect(() =>
      importDbt(manifest('not_null', {}), { runResults: { ...manifest('not_null', {}), results: [] } }),
    ).toThrow('are not run results, but');
    expect(() => importDbt(manifest('not_null', {}), { runResults: '{' })).toThrow(
      'the results of dbt: is not JSON',
    );
  });

  it.each(['', '[]', '{}', '{"nodes": 3}'])('refuses %j', (text) => {
    expect(() => importDbt(text)).toThrow(InvalidRequestError);
  });
});
