// Counts over real files, worked out independently of the rules that DuckDB evaluates.
import { copyFile, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Sample, serve, type Served } from '../support/served.ts';

const vega = fileURLToPath(new URL('../../node_modules/vega-datasets/data/', import.meta.url));

let served: Served;
beforeAll(async () => {
  served = await serve({});
  for (const file of ['movies.json', 'birdstrikes.csv', 'flights-3m.parquet']) {
    await copyFile(join(vega, file), join(served.folder.path, file));
  }
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
});

function samplesOf(values: readonly unknown[], isValid: (value: unknown) => boolean): Sample[] {
  return values.flatMap((value, row) => (isValid(value) ? [] : [{ row_id: row, value }]));
}

function withTwins(values: readonly unknown[]): ReadonlySet<unknown> {
  const seen = new Set<unknown>();
  const twins = new Set<unknown>();
  for (const value of values) (seen.has(value) ? twins : seen).add(value);
  return twins;
}

describe('movies.json', () => {
  test('every rule type', async () => {
    const movies = JSON.parse(await readFile(join(vega, 'movies.json'), 'utf8')) as Record<string, unknown>[];
    const column = (name: string) => movies.map((movie) => movie[name] ?? null);
    const twins = withTwins(column('Title').filter((title) => title !== null));
    const cases = [
      [{ rule_type: 'NOT_NULL', column_name: 'Major Genre' }, (value: unknown) => value !== null],
      [
        { rule_type: 'UNIQUE', column_name: 'Title' },
        (value: unknown) => value !== null && !twins.has(value),
      ],
      [
        { rule_type: 'REGEX', column_name: 'Title', rule_config: { pattern: '^[A-Z]' } },
        (value: unknown) => typeof value === 'string' && /^[A-Z]/.test(value),
      ],
      [
        { rule_type: 'RANGE', column_name: 'IMDB Rating', rule_config: { min: 2, max: 9 } },
        (value: unknown) => typeof value === 'number' && value >= 2 && value <= 9,
      ],
      [
        { rule_type: 'ENUM', column_name: 'MPAA Rating', rule_config: { allowed_values: ['R', 'PG', 'G'] } },
        (value: unknown) => ['R', 'PG', 'G'].includes(String(value)),
      ],
      [
        { rule_type: 'DATE_FORMAT', column_name: 'Release Date', rule_config: { format: 'MMM DD YYYY' } },
        (value: unknown) => /^[A-Z][a-z]{2} \d\d \d{4}$/.test(String(value)),
      ],
    ] as const;
    for (const [rule, isValid] of cases) {
      const invalid = samplesOf(column(rule.column_name), isValid);
      const found = await served.check('movies', rule, 5000);
      expect(found).toMatchObject({ total_rows: movies.length, invalid_count: invalid.length });
      expect(found.samples).toEqual(invalid);
    }
    const found = await served.check('movies', {
      rule_type: 'CUSTOM_SQL',
      rule_config: { sql_expression: '"US Gross" <= "Worldwide Gross"' },
    });
    expect(found.invalid_count).toBe(
      movies.filter((movie) => {
        const [us, world] = [movie['US Gross'], movie['Worldwide Gross']];
        return !(typeof us === 'number' && typeof world === 'number' && us <= world);
      }).length,
    );
  });
});

describe('birdstrikes.csv', () => {
  test('nulls, and a range over text', async () => {
    const { csvRows } = await import('../engines/duckdb/csv-rows.ts');
    const [head = [], ...lines] = csvRows(await readFile(join(vega, 'birdstrikes.csv'), 'utf8'));
    const column = (name: string) => lines.map((line) => line[head.indexOf(name)] || null);
    const speed = await served.check(
      'birdstrikes',
      { rule_type: 'NOT_NULL', column_name: 'Speed IAS in knots' },
      3,
    );
    const nulls = samplesOf(column('Speed IAS in knots'), (value) => value !== null);
    expect(speed).toMatchObject({ total_rows: lines.length, invalid_count: nulls.length });
    expect(speed.samples).toEqual(nulls.slice(0, 3));
    const cost = await served.check('birdstrikes', {
      rule_type: 'RANGE',
      column_name: 'Cost Total $',
      rule_config: { max: 1000 },
    });
    expect(cost.invalid_count).toBe(
      column('Cost Total $').filter((value) => value === null || Number(value) > 1000).length,
    );
  });
});

describe('flights-3m.parquet: 3,000,000 rows', () => {
  test('counts and rows of the file', async () => {
    // The rows are read as they are; the counting is done here.
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const reader = await connection.runAndReadAll(
      `SELECT delay::INTEGER, origin FROM read_parquet('${join(vega, 'flights-3m.parquet')}')`,
    );
    const [delays = [], origins = []] = reader.getColumns();
    connection.closeSync();
    const early = delays.flatMap((delay, row) =>
      Number(delay) < -60 ? [{ row_id: row, value: Number(delay) }] : [],
    );
    expect(
      await served.check('flights-3m', {
        rule_type: 'RANGE',
        column_name: 'delay',
        rule_config: { min: -60 },
      }),
    ).toEqual({
      status: 'fail',
      total_rows: 3_000_000,
      invalid_count: early.length,
      invalid_percent: (100 * early.length) / 3_000_000,
      error_message: undefined,
      samples: early.slice(0, 10),
    });
    expect(
      await served.check('flights-3m', {
        rule_type: 'REGEX',
        column_name: 'origin',
        rule_config: { pattern: '^[A-S]' },
      }),
    ).toMatchObject({ invalid_count: origins.filter((origin) => !/^[A-S]/.test(String(origin))).length });
    const sum = delays.reduce<number>((total, delay) => total + Number(delay), 0);
    const [average] = await served.capture('flights-3m', { metric_type: 'avg_value', column_name: 'delay' });
    expect(average?.['value']).toBeCloseTo(sum / 3_000_000, 8);
  });

  test('a typed timestamp is a valid date', async () => {
    expect(
      await served.check('flights-3m', {
        rule_type: 'DATE_FORMAT',
        column_name: 'date',
        rule_config: { format: 'MM/DD' },
      }),
    ).toMatchObject({ status: 'pass', total_rows: 3_000_000 });
  });
});
