import { InvalidRequestError } from 'data-quality-client';
import { importDbt } from 'data-quality-client/rules';
import { describe, expect, it } from 'vitest';

import { manifest, named, orders, ruleOf } from './dbt.ts';

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

  it('makes a table with rules only of tests', () => {
    expect(importDbt(manifest('not_null', {})).definition).toStrictEqual({
      tables: { 'shop.sales.orders_v2': { rules: [{ ...named, rule_type: 'NOT_NULL' }] } },
    });
  });

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
    ['dbt_expectations.expect_table_row_count_to_equal', { value: 3 }, '{own} >= 3 AND {own} <= 3'],
    ['dbt_expectations.expect_table_row_count_to_be_between', { max_value: 9 }, '{own} <= 9'],
    [
      'dbt_expectations.expect_table_row_count_to_be_between',
      { min_value: '1', max_value: null },
      '{own} >= 1',
    ],
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

  it('returns null for what the results of a run do not say', () => {
    const runResults = { results: [{ unique_id: 'test.shop.it' }] };
    expect(importDbt(manifest('not_null', {}, { name: null }), { runResults }).lastRun).toEqual({
      generated_at: null,
      tests: [
        { unique_id: 'test.shop.it', name: 'test.shop.it', status: 'unknown', failures: null, message: null },
      ],
    });
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
