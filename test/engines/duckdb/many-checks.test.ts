import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { DuckDBInstance } from '@duckdb/node-api';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type { DataSource } from '../../../src/engines/duckdb/data-source.ts';
import { Engine } from '../../../src/engines/duckdb/engine.ts';
import { QueryError } from '../../../src/engines/query-error.ts';
import { capture } from '../../../src/engines/duckdb/metrics.ts';
import { findTable, TableFinder } from '../../../src/engines/duckdb/tables.ts';
import { countInvalid } from '../../../src/engines/duckdb/validity.ts';
import type { MetricRecord, RuleRecord } from '../../../src/service/store.ts';
import { dataFolder } from '../../support/served.ts';
import { testFolder } from '../../support/test-folder.ts';

// Each test runs dozens of queries, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const data = fileURLToPath(new URL('../../../node_modules/vega-datasets/data', import.meta.url));

/** Tables of every format, with columns that hold numbers, texts, dates and nothing. */
const tables: Readonly<Record<string, readonly string[]>> = {
  airports: ['iata', 'latitude', 'city'],
  birdstrikes: ['Flight Date', 'Speed IAS in knots', 'Effect  Amount of damage'],
  cars: ['Name', 'Miles_per_Gallon', 'Year'],
  'flights-2k': ['date', 'delay', 'origin'],
  movies: ['Title', 'US Gross', 'MPAA Rating'],
  'seattle-weather': ['date', 'precipitation', 'weather'],
  'sp500-2000': ['date', 'open', 'volume'],
  unemployment: ['id', 'rate'],
};

/** The same tables in other formats, by the file they are made from. */
const converted: Readonly<Record<string, string>> = {
  airports: 'airports.csv',
  'flights-2k': 'flights-2k.json',
  'seattle-weather': 'seattle-weather.csv',
};

let tempDirectory: string;
let conversions: string;
let engine: Engine;
/** Reads what it can from columnar copies, however small the file. */
let copying: Engine;

function sourceOf(folder: string, of = engine): DataSource {
  const assets = [{ assetId: 'a', catalog: basename(folder), path: folder }];
  return { engine: of, finder: new TableFinder(of, assets, join(folder, '.data-quality')), folder };
}

beforeAll(async () => {
  tempDirectory = await mkdtemp(join(testFolder, 'dq-temp-'));
  conversions = await mkdtemp(join(testFolder, 'dq-conversions-'));
  await Promise.all(['parquet', 'ndjson'].map(async (format) => mkdir(join(conversions, format))));
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const [table, file] of Object.entries(converted)) {
    const path = (format: string): string => join(conversions, format, `${table}.${format}`);
    await connection.run(`COPY (FROM '${join(data, file)}') TO '${path('parquet')}' (ROW_GROUP_SIZE 2048)`);
    await connection.run(`COPY (FROM '${join(data, file)}') TO '${path('ndjson')}' (FORMAT json)`);
  }
  connection.closeSync();
  engine = new Engine({ tempDirectory: join(tempDirectory, 'own'), timeout: 20_000, grace: 50 });
  copying = new Engine({
    tempDirectory: join(tempDirectory, 'copying'),
    timeout: 20_000,
    grace: 50,
    copies: { folder: join(tempDirectory, 'copies'), smallest: 0, again: 0, settled: 0 },
  });
});

afterAll(async () => {
  await Promise.all([engine.close(), copying.close()]);
  for (const folder of [tempDirectory, conversions]) await rm(folder, { recursive: true, force: true });
});

/** A check or a capture, as the evaluation gets it. */
type Task = { readonly rule: RuleRecord; readonly sampleLimit: number } | { readonly metric: MetricRecord };

async function resultOf(source: DataSource, task: Task): Promise<unknown> {
  try {
    return 'rule' in task
      ? await countInvalid(source, task.rule, task.sampleLimit)
      : await capture(source, task.metric);
  } catch (error) {
    if (error instanceof QueryError) return error.message;
    throw error;
  }
}

const configurations: readonly (readonly [string, Readonly<Record<string, unknown>> | null])[] = [
  ['NOT_NULL', null],
  ['UNIQUE', null],
  ['REGEX', { pattern: '^[A-Z0-9]' }],
  ['REGEX', { pattern: '(' }],
  ['RANGE', { min: 1 }],
  ['RANGE', { min: -5, max: 30.5 }],
  ['ENUM', { allowed_values: ['sun', 'rain', 'PG', 1, null] }],
  ['DATE_FORMAT', { format: 'YYYY-MM-DD' }],
  ['DATE_FORMAT', { format: '%Y/%m/%d %H:%M' }],
];

const expressions = [
  '{} IS NOT NULL',
  'length({}::VARCHAR) < 12',
  '{}::INTEGER > 3',
  "{}::VARCHAR::DATE > DATE '2000-01-01'",
  '{} > 30',
  "{} < '5' OR {} IS NULL",
  'length({table}::VARCHAR) % 2 = 0',
  '#1 IS NOT NULL AND {} IS NOT NULL',
  "len([*COLUMNS('.*')]::VARCHAR[]) > 3",
  '{} > (SELECT 1)',
  '{} IN (SELECT {} FROM {table} LIMIT 100)',
  'sum(1) OVER () > 3',
  'no_such_column > 1',
  "error('refused by the expression')",
];

const metricTypes = [
  'row_count',
  'null_percent',
  'min_value',
  'max_value',
  'avg_value',
  'distinct_count',
  'percentile',
];

function tasksOf(folder: string, table: string): fc.Arbitrary<Task> {
  const columns = [...(tables[table] ?? []), 'no such column'];
  const column = fc.constantFrom(...columns);
  const common = { asset_id: 'a', table_path: `${basename(folder)}.main.${table}` };
  const rule = fc.record({
    kind: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...configurations) },
      {
        weight: 1,
        arbitrary: fc.tuple(fc.constantFrom(...expressions), column).map(([expression, name]) => {
          const sql_expression = expression.replaceAll('{table}', `"${table}"`).replaceAll('{}', `"${name}"`);
          return ['CUSTOM_SQL', { sql_expression }] as const;
        }),
      },
    ),
    column_name: column,
    treat_null_as_valid: fc.boolean(),
    sampleLimit: fc.constantFrom(0, 1, 10),
  });
  const metric = fc.record({
    metric_type: fc.constantFrom(...metricTypes),
    column_name: column,
    group_by_columns: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, fc.tuple(column)),
  });
  return fc.oneof(
    {
      weight: 3,
      arbitrary: rule.map(({ kind: [rule_type, rule_config], column_name, sampleLimit, ...rest }): Task => {
        const named = rule_type === 'CUSTOM_SQL' ? null : column_name;
        return {
          rule: { ...common, ...rest, rule_type, rule_config, column_name: named } as unknown as RuleRecord,
          sampleLimit,
        };
      }),
    },
    {
      weight: 1,
      arbitrary: metric.map((it): Task => ({
        metric: {
          ...common,
          ...it,
          column_name: it.metric_type === 'row_count' ? null : it.column_name,
          percentile_value: it.metric_type === 'percentile' ? 90 : null,
        } as unknown as MetricRecord,
      })),
    },
  );
}

describe('checks and captures of the same time', () => {
  const ofPackage = Object.keys(tables).map((table) => ['as published', table] as const);
  const ofFormats = ['parquet', 'ndjson'].flatMap((format) =>
    Object.keys(converted).map((table) => [format, table] as const),
  );
  test.each([...ofPackage, ...ofFormats])(
    'have the results that they have alone: %s, %s',
    async (format, table) => {
      const folder = format === 'as published' ? data : join(conversions, format);
      const source = sourceOf(folder);
      const alone = new Map<string, unknown>();
      await fc.assert(
        fc.asyncProperty(fc.array(tasksOf(folder, table), { minLength: 4, maxLength: 12 }), async (tasks) => {
          const together = await Promise.all(tasks.map(async (task) => resultOf(source, task)));
          for (const [at, task] of tasks.entries()) {
            const key = JSON.stringify(task);
            if (!alone.has(key)) alone.set(key, await resultOf(source, task));
            expect({ task, result: together[at] }).toEqual({ task, result: alone.get(key) });
          }
        }),
        { numRuns: 3 },
      );
    },
  );

  test.each([
    ['a csv', 't.csv', 'a,b\n1,x\n,y\n3,\n'],
    ['JSON by lines', 't.ndjson', '{"a":1,"b":"x"}\n{"b":"y"}\n{"a":3}\n'],
  ])('read their table once: %s', async (_, name, content) => {
    await using folder = await dataFolder({ [name]: content });
    const source = sourceOf(folder.path);
    const common = { asset_id: 'a', table_path: 'shop.main.t', treat_null_as_valid: false };
    const rules = [
      { rule_type: 'NOT_NULL', column_name: 'a' },
      { rule_type: 'NOT_NULL', column_name: 'b' },
      { rule_type: 'RANGE', column_name: 'a', rule_config: { min: 2 } },
      { rule_type: 'REGEX', column_name: 'b', rule_config: { pattern: 'x' } },
    ].map((rule) => Object.assign(rule, common) as unknown as RuleRecord);
    const metric = { ...common, metric_type: 'null_percent', column_name: 'a', group_by_columns: [] };
    await countInvalid(source, rules[0] as RuleRecord, 0);
    const query = vi.spyOn(engine, 'query');
    const results = await Promise.all([
      ...rules.map(async (rule) => countInvalid(source, rule, 0)),
      capture(source, metric as unknown as MetricRecord),
    ]);
    expect(query).toHaveBeenCalledTimes(1);
    expect(results).toMatchObject([
      { total_rows: 3, invalid_count: 1 },
      { total_rows: 3, invalid_count: 1 },
      { total_rows: 3, invalid_count: 2 },
      { total_rows: 3, invalid_count: 2 },
      [{ value: 100 / 3 }],
    ]);
  });
});

describe('checks and captures over columnar copies', () => {
  const texts = [
    ...['airports', 'birdstrikes', 'movies', 'seattle-weather', 'sp500-2000'].map(
      (table) => ['as published', table] as const,
    ),
    ...Object.keys(converted).map((table) => ['ndjson', table] as const),
  ];
  test.each(texts)('have the results that they have over the text: %s, %s', async (format, table) => {
    const folder = format === 'as published' ? data : join(conversions, format);
    const [source, copied] = [sourceOf(folder), sourceOf(folder, copying)];
    const file = findTable(await copied.finder.list('a'), `${basename(folder)}.main.${table}`);
    const open = async () => copied.finder.open(await copied.finder.list('a'), file);
    await open();
    await open();
    await copying.copies?.idle();
    expect((await open()).literalReading.sql).toContain('read_parquet');
    const alone = new Map<string, unknown>();
    await fc.assert(
      fc.asyncProperty(fc.array(tasksOf(folder, table), { minLength: 4, maxLength: 12 }), async (tasks) => {
        const together = await Promise.all(tasks.map(async (task) => resultOf(copied, task)));
        for (const [at, task] of tasks.entries()) {
          const key = JSON.stringify(task);
          if (!alone.has(key)) alone.set(key, await resultOf(source, task));
          expect({ task, result: together[at] }).toEqual({ task, result: alone.get(key) });
        }
      }),
      { numRuns: 3 },
    );
  });
});

describe('UNIQUE over many rows', () => {
  test.each([
    ['often, all over the file', (row: number) => String(row % 6000), 10],
    ['at the end alone', (row: number) => String(row < 19_000 ? row : 0), 10],
    ['in one pair', (row: number) => String(row === 19_999 ? 7 : row), 10],
    ['in more samples than the first rows have', (row: number) => String(row % 6000), 5000],
    ['nowhere', String, 10],
    ['in nulls', (row: number) => (row % 1000 === 3 ? '' : String(row)), 10],
  ])('samples the first rows of a value that is repeated %s', async (_, valueOf, limit) => {
    const values = Array.from({ length: 20_000 }, (__, row) => valueOf(row));
    await using folder = await dataFolder({
      't.csv': ['v,other', ...values.map((it) => `${it},x`)].join('\n'),
    });
    const counts = new Map<string, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    for (const treat_null_as_valid of [true, false]) {
      const rule = { rule_type: 'UNIQUE', asset_id: 'a', table_path: 'shop.main.t', column_name: 'v' };
      const isInvalid = (value: string): boolean =>
        value === '' ? !treat_null_as_valid : (counts.get(value) ?? 0) > 1;
      const invalid = values.flatMap((value, row_id) =>
        isInvalid(value) ? [{ row_id, value: value || null }] : [],
      );
      const result = await countInvalid(
        sourceOf(folder.path),
        { ...rule, treat_null_as_valid } as unknown as RuleRecord,
        limit,
      );
      expect(result).toEqual({
        total_rows: 20_000,
        invalid_count: invalid.length,
        samples: invalid.slice(0, limit),
      });
    }
  });
});
