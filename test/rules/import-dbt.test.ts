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

  it('reports the freshness of sources, and tests of the same name on one column', () => {
    const source = manifest('not_null', {}) as {
      nodes: Record<string, unknown>;
      sources: Record<string, unknown>;
    };
    source.nodes['test.shop.again'] = source.nodes['test.shop.it'];
    source.sources['source.shop.raw.events'] = {
      name: 'events',
      identifier: 'events_v1',
      database: 'shop',
      schema: 'raw',
      loaded_at_field: 'loaded_at',
      freshness: { error_after: { count: 24, period: 'hour' }, warn_after: { count: null, period: null } },
    };
    expect(importDbt(JSON.stringify(source)).unmapped).toMatchObject([
      { unique_id: 'test.shop.again', reason: 'another one has the same key' },
      {
        table_path: 'shop.raw.events_v1',
        reason:
          'freshness is configured with the asset, not with its rules: error after 24 hours, by loaded_at',
      },
    ]);
  });

  it.each(['', '[]', '{}', '{"nodes": 3}'])('refuses %j', (text) => {
    expect(() => importDbt(text)).toThrow(InvalidRequestError);
  });
});
