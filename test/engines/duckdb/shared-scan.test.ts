import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { Engine } from '../../../src/engines/duckdb/engine.ts';
import { TableFinder } from '../../../src/engines/duckdb/tables.ts';
import { countInvalid } from '../../../src/engines/duckdb/validity.ts';
import { QueryError } from '../../../src/engines/query-error.ts';
import type { RuleRecord } from '../../../src/service/store.ts';
import { dataFolder } from '../../support/served.ts';
import { testFolder } from '../../support/test-folder.ts';

let tempDirectory: string;
let engine: Engine;

beforeAll(async () => {
  tempDirectory = await mkdtemp(join(testFolder, 'dq-temp-'));
  engine = new Engine({ tempDirectory, timeout: 20_000, grace: 50 });
});

afterAll(async () => {
  await engine.close();
  await rm(tempDirectory, { recursive: true, force: true });
});

type Rule = Pick<RuleRecord, 'rule_type'> & Partial<RuleRecord>;

const custom = (sql_expression: string, column_name: string | null = null): Rule => ({
  rule_type: 'CUSTOM_SQL',
  column_name,
  rule_config: { sql_expression },
});

/** Rules that look at the text of a column. */
const siblings = (column_name: string): readonly Rule[] => [
  { rule_type: 'NOT_NULL', column_name },
  { rule_type: 'UNIQUE', column_name },
  { rule_type: 'REGEX', column_name, rule_config: { pattern: '^[0-9]' } },
  { rule_type: 'RANGE', column_name, rule_config: { min: 2 } },
  { rule_type: 'ENUM', column_name, rule_config: { allowed_values: ['x', 10, 2.5] } },
  { rule_type: 'DATE_FORMAT', column_name, rule_config: { format: 'YYYY-MM-DD' } },
];

/** Checks all rules at the same time over files that nobody has read before. */
async function checkAll(path: string, rules: readonly Rule[]) {
  const finder = new TableFinder(engine, [{ assetId: 'a', catalog: 'shop', path }], join(path, 'none'));
  const common = { asset_id: 'a', table_path: 'shop.main.t', treat_null_as_valid: false, rule_config: null };
  const checks = rules.map(async (rule) => {
    try {
      const record = { ...common, ...rule } as unknown as RuleRecord;
      return await countInvalid({ engine, finder, folder: path }, record, 5);
    } catch (error) {
      if (error instanceof QueryError) return error.message;
      throw error;
    }
  });
  return Promise.all(checks);
}

/** Checks rules beside others and alone, and returns what they find. */
async function check(content: string, rules: readonly Rule[], beside: readonly Rule[]) {
  await using folder = await dataFolder({ 't.csv': content });
  const together = await checkAll(folder.path, [...rules, ...beside]);
  for (const [at, rule] of [...rules, ...beside].entries()) {
    const [alone] = await checkAll(folder.path, [rule]);
    expect({ rule, result: together[at] }).toEqual({ rule, result: alone });
  }
  return together.slice(0, rules.length);
}

const column = (...parts: readonly (readonly [number, string])[]): string =>
  ['v,w', ...parts.flatMap(([times, value]) => Array<string>(times).fill(`${value},1`)), ''].join('\n');

/** Columns whose first rows suggest something else than all rows show, with a rule that tells one from the other. */
const misleading: readonly (readonly [string, string, string, number])[] = [
  ['numbers that turn into text', column([120, '10'], [200, 'x']), "v < '3'", 200],
  ['text that turns into numbers', column([110, 'x'], [300, '10']), "v < '3'", 410],
  ['whole numbers that turn into fractions', column([120, '1'], [10, '2.5']), 'v = 2.5', 120],
  ['fractions, and then as many texts', column([150, '2.5'], [150, 'x']), "v < '10'", 300],
  ['days that turn into times', column([120, '2024-01-02'], [9, '2024-01-02 10:00']), 'hour(v) = 10', 120],
  ['booleans that turn into text', column([120, 'true'], [130, 'TRUE!']), "v > 'b'", 130],
  ['nothing at first', column([120, ''], [5, '10']), "v > '3'", 120],
  ['nothing at all', column([120, '']), "v = 'x'", 120],
  ['a header alone', column(), 'v > 3', 0],
  ['quoted values', column([120, '"10"'], [5, '"1,5"']), 'v = 10', 5],
];

describe('an expression of a file that was never read', () => {
  test.each(misleading)(
    'sees what all rows show, not the first: %s',
    async (_, content, expression, invalid) => {
      const [counted] = await check(content, [custom(expression)], [...siblings('v'), custom('w = 1')]);
      expect(counted).toMatchObject({ invalid_count: invalid });
    },
  );

  test('is counted in the scan of the other rules', async () => {
    await using folder = await dataFolder({ 't.csv': column([120, '10'], [5, 'x']) });
    const query = vi.spyOn(engine, 'query');
    const plain = siblings('v').filter(({ rule_type }) => rule_type !== 'UNIQUE');
    const rules = [...plain, custom('v > 3'), custom('w < 2 OR v = 10'), custom('v * w = 10', 'v')];
    const results = await checkAll(folder.path, rules);
    const scans = query.mock.calls.filter(
      ([files, sql]) => files.length > 0 && sql.startsWith('SELECT count'),
    );
    query.mockRestore();
    expect(scans).toHaveLength(1);
    expect(results.slice(-3)).toMatchObject([
      { invalid_count: 5 },
      { invalid_count: 0 },
      { invalid_count: 5 },
    ]);
  });

  test('fails alone', async () => {
    const broken = [
      custom("v > 3 AND error('no such luck')"),
      custom('no_such > 3'),
      custom('v + 1'),
      custom('v >'),
    ];
    const failed = await check(column([50, '10']), broken, [...siblings('v'), custom('v = 10')]);
    expect(failed).toEqual([
      expect.stringContaining('no such luck'),
      expect.stringContaining('no_such'),
      expect.stringContaining('boolean'),
      expect.stringContaining('syntax error'),
    ]);
  });
});

describe('an expression that sees the whole row', () => {
  test.each([
    ['by the name of the table', "length(t::VARCHAR) = length('{''v'': 10, ''w'': 1}')", 0],
    ['by its positions', "#2 = '1'", 0],
    ['by a star', "array_to_string([*COLUMNS(*)]::VARCHAR[], '-') = '10-1'", 0],
    ['by a pattern of columns', "len([*COLUMNS('.*')]) = 2", 0],
  ])('sees the columns of the file and no others: %s', async (_, expression, invalid) => {
    const [counted] = await check(
      column([60, '10']),
      [custom(expression)],
      [...siblings('v'), ...siblings('w'), custom('v > 3')],
    );
    expect(counted).toMatchObject({ invalid_count: invalid });
  });
});

const last = (value: unknown) => ({ invalid_count: 1, samples: [{ row_id: 20, value }] });

describe('columns named like those that a scan adds', () => {
  test.each([
    'text_v',
    'number_v',
    'day_v',
    'plain_day_v',
    'row',
    'value',
    'rows',
    'sample',
    'valid',
    'invalid',
    '',
  ])('are columns like all others: __dq_%s', async (part) => {
    const name = `__dq_${part}`;
    const content = `v,${name},${name}_\n${'10,a,7\n'.repeat(20)}2,b,8\n`;
    const rules = [
      { rule_type: 'REGEX', column_name: name, rule_config: { pattern: 'a' } },
      { rule_type: 'UNIQUE', column_name: name },
      { rule_type: 'RANGE', column_name: 'v', rule_config: { min: 3 } },
      custom(`"${name}" = 'a' AND v > 3`),
      custom(`"${name}" = 'a'`, name),
    ] as const;
    const results = await check(content, rules, [...siblings('v'), ...siblings(`${name}_`)]);
    expect(results).toEqual([
      { total_rows: 21, ...last('b') },
      {
        total_rows: 21,
        invalid_count: 20,
        samples: [0, 1, 2, 3, 4].map((row_id) => ({ row_id, value: 'a' })),
      },
      { total_rows: 21, ...last('2') },
      { total_rows: 21, ...last({ v: 2, [name]: 'b', [`${name}_`]: 8 }) },
      { total_rows: 21, ...last('b') },
    ]);
  });
});
