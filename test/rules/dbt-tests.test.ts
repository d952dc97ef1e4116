import { importDbt } from 'data-quality-client/rules';
import { describe, expect, it } from 'vitest';

import { manifest, named, orders, reasonOf, ruleOf, withNodes } from './dbt.ts';

const expectations = 'dbt_expectations.expect';

describe('a generic test of dbt', () => {
  it.each([
    ['dbt.not_null', {}, { rule_type: 'NOT_NULL' }],
    [
      'accepted_values',
      { values: ['1', 2] },
      { rule_type: 'ENUM', rule_config: { allowed_values: ['1', 2] }, treat_null_as_valid: true },
    ],
    [
      `${expectations}_column_values_to_be_in_set`,
      { value_set: ['1', 'true'], quote_values: false },
      { rule_type: 'ENUM', rule_config: { allowed_values: [1, 'true'] }, treat_null_as_valid: true },
    ],
    [`${expectations}_column_values_to_be_unique`, {}, { rule_type: 'UNIQUE', treat_null_as_valid: true }],
    [
      'dbt_utils.accepted_range',
      { max_value: 1.5, inclusive: true },
      { rule_type: 'RANGE', rule_config: { max: 1.5 }, treat_null_as_valid: true },
    ],
    [
      `${expectations}_column_values_to_match_regex`,
      { regex: 'a', flags: '' },
      { rule_type: 'REGEX', rule_config: { pattern: 'a' }, treat_null_as_valid: true },
    ],
    [
      `${expectations}_column_values_to_match_regex_list`,
      { regex_list: ['^a'], match_on: 'all' },
      { rule_type: 'REGEX', rule_config: { pattern: '^a' }, treat_null_as_valid: true },
    ],
    [
      `${expectations}_column_values_to_match_regex_list`,
      { regex_list: ['^a', 'b$'], match_on: 'any' },
      { rule_type: 'REGEX', rule_config: { pattern: '(?:^a)|(?:b$)' }, treat_null_as_valid: true },
    ],
  ])('%s with %j becomes a rule', (name, kwargs, rule) => {
    expect(ruleOf(manifest(name, kwargs))).toStrictEqual({ ...named, ...rule });
  });

  it('that an expression is true is one of the row if it has no column', () => {
    const kwargs = { column_name: undefined, expression: 'a < b' };
    const source = manifest('dbt_utils.expression_is_true', kwargs, { column_name: null });
    expect(ruleOf(source)).toEqual({
      name: 'it',
      severity: 'critical',
      rule_type: 'CUSTOM_SQL',
      rule_config: { sql_expression: 'coalesce((a < b), true)' },
    });
  });

  it('escapes the quotes in the names of quoted columns', () => {
    const kwargs = { combination_of_columns: ['a"b'], quote_columns: true };
    expect(ruleOf(manifest('dbt_utils.unique_combination_of_columns', kwargs))).toMatchObject({
      rule_config: { sql_expression: expect.stringContaining('GROUP BY "a""b" HAVING') as string },
    });
  });

  it.each([
    ['dbt_utils.not_null', {}, 'no rule type demands what dbt_utils.not_null does'],
    ['not_null', { row_condition: 'a > 1' }, 'row_condition: a rule looks at every row'],
    ['dbt_utils.accepted_range', { min_value: ' ' }, 'the bounds of a RANGE are numbers, not SQL'],
    ['dbt_utils.accepted_range', { min_value: 'Infinity' }, 'the bounds of a RANGE are numbers, not SQL'],
    [
      'dbt_utils.accepted_range',
      { min_value: 0, max_value: 'now()' },
      'the bounds of a RANGE are numbers, not SQL',
    ],
    [
      `${expectations}_column_values_to_be_between`,
      { min_value: 0, strictly: true },
      'the bounds of a RANGE are inclusive',
    ],
    [
      `${expectations}_column_values_to_match_regex_list`,
      { regex_list: ['a', 'b'], match_on: 'all' },
      'a rule has one pattern, and all of these must match',
    ],
    [
      `${expectations}_column_values_to_match_regex_list`,
      { regex_list: ['a', 1] },
      'the pattern is not a string',
    ],
    [`${expectations}_column_values_to_match_regex_list`, { regex_list: [] }, 'the pattern is not a string'],
    [`${expectations}_column_values_to_match_regex_list`, { regex_list: 'a' }, 'the pattern is not a string'],
    [`${expectations}_column_values_to_match_regex`, {}, 'the pattern is not a string'],
    ['dbt_utils.expression_is_true', { expression: 1 }, 'the expression is not a string'],
    [
      'dbt_utils.unique_combination_of_columns',
      { combination_of_columns: [] },
      'combination_of_columns: it is not a list of columns',
    ],
    [
      'dbt_utils.unique_combination_of_columns',
      { combination_of_columns: ['a', 1] },
      'combination_of_columns: it is not a list of columns',
    ],
    ['relationships', { to: 3 }, 'to: the relation it refers to is not a table of the manifest'],
    [
      `${expectations}_table_row_count_to_be_between`,
      { min_value: 1, max_value: 'many' },
      'the bounds of a row count are numbers, one of them at least',
    ],
    ['dbt_utils.equal_rowcount', { compare_model: 3 }, 'compare_model: it is not a table of the manifest'],
  ])('%s with %j has no rule', (name, kwargs, reason) => {
    expect(reasonOf(manifest(name, kwargs))).toBe(reason);
  });

  const customers = { 'model.shop.customers': { ...orders, name: 'customers', alias: 'customers' } };
  const onCustomers = { depends_on: { nodes: ['model.shop.orders', 'model.shop.customers'] } };

  it.each([
    ['relationships', { to: "ref('customers')" }, 'it needs a column and a field'],
    [
      'relationships',
      { to: "ref('customers')", field: 'id', column_name: undefined },
      'it needs a column and a field',
    ],
    [
      'dbt_utils.equal_rowcount',
      { compare_model: "ref('customers')", group_by_columns: ['a'] },
      'group_by: a rule counts the rows of the whole table',
    ],
    [
      `${expectations}_table_row_count_to_equal_other_table`,
      { compare_model: "ref('customers')", group_by: ['a'] },
      'group_by: a rule counts the rows of the whole table',
    ],
    [
      `${expectations}_table_row_count_to_equal_other_table`,
      { compare_model: "ref('customers')", compare_row_condition: 'a > 1' },
      'compare_row_condition: a rule looks at every row',
    ],
    [
      `${expectations}_table_row_count_to_equal_other_table`,
      { compare_model: "ref('customers')", factor: 'many' },
      'factor: it is not a number',
    ],
  ])('%s with %j has no rule although its other table is known', (name, kwargs, reason) => {
    expect(reasonOf(withNodes(manifest(name, kwargs, onCustomers), customers))).toBe(reason);
  });

  it('compares the rows with those of the other table, without a factor of 1', () => {
    const name = `${expectations}_table_row_count_to_equal_other_table`;
    const kwargs = { compare_model: "ref('customers')", factor: '1', group_by: [], column_name: undefined };
    const source = withNodes(manifest(name, kwargs, { ...onCustomers, column_name: null }), customers);
    expect(ruleOf(source)).toMatchObject({
      rule_config: {
        sql_expression:
          '(SELECT count(*) FROM shop.sales.orders_v2) = (SELECT count(*) FROM shop.sales.customers)',
      },
    });
  });
});

describe('the entry of a test of dbt', () => {
  it.each([
    [{ config: { severity: 'WARN' } }, {}],
    [{ config: { severity: null } }, { severity: 'critical' }],
    [{ config: null }, { severity: 'critical' }],
    [{ config: { enabled: true } }, { severity: 'critical' }],
    [{ description: '' }, { severity: 'critical' }],
    [{ config: { error_if: '!=0', warn_if: '' } }, { severity: 'critical' }],
  ])('of %j has %j beside its key', (fields, entry) => {
    const { severity: _, ...key } = named;
    expect(ruleOf(manifest('not_null', {}, fields))).toEqual({ ...key, rule_type: 'NOT_NULL', ...entry });
  });

  it.each([null, ''])('has no name if that of the test is %j', (name) => {
    expect(ruleOf(manifest('not_null', {}, { name }))).not.toHaveProperty('name');
  });

  it.each([
    [{ column_name: undefined }, 'total', 'total'],
    [{ column_name: '`total`' }, null, 'total'],
    [{ column_name: '[total]' }, null, 'total'],
    [{ column_name: "'total'" }, null, 'total'],
    [{ column_name: 'to"tal' }, 'other', 'to"tal'],
  ])('with arguments %j and column %j is about the column %s', (kwargs, column_name, column) => {
    expect(ruleOf(manifest('not_null', kwargs, { column_name }))).toMatchObject({ column_name: column });
  });

  it('is about the column of the node if the test has no arguments', () => {
    const test_metadata = { name: 'not_null', kwargs: null };
    expect(ruleOf(manifest('not_null', {}, { test_metadata }))).toMatchObject({ column_name: 'amount' });
  });

  it('is not of a test that counts rows before it warns', () => {
    const config = { error_if: '!= 0', warn_if: '> 10' };
    expect(reasonOf(manifest('not_null', {}, { config }))).toBe(
      'warn_if: > 10 counts rows, and a threshold is a percentage',
    );
  });

  it('is listed with its table and column, or else with its id, if no rule demands it', () => {
    const fields = { name: null, config: { where: 'a > 1' } };
    expect(importDbt(manifest('not_null', {}, fields)).unmapped).toEqual([
      {
        unique_id: 'test.shop.it',
        name: 'test.shop.it',
        table_path: 'shop.sales.orders_v2',
        column_name: 'amount',
        reason: 'where: a rule checks every row, not only a > 1',
      },
    ]);
    const nowhere = { attached_node: 'model.shop.none', column_name: null };
    expect(importDbt(manifest('not_null', { column_name: undefined }, nowhere)).unmapped).toEqual([
      {
        unique_id: 'test.shop.it',
        name: 'it',
        table_path: null,
        column_name: null,
        reason: 'the relation it looks at is not in the manifest',
      },
    ]);
  });
});
