import { join } from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { array, constantFrom, sample } from 'fast-check';
import { expect, test } from 'vitest';

import { serve, type Served } from '../../support/served.ts';

async function writeParquet(served: Served, name: string, rows: string): Promise<void> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`COPY (${rows}) TO '${join(served.folder.path, name)}' (FORMAT parquet)`);
  connection.closeSync();
}

function range(config: object) {
  return { rule_type: 'RANGE', rule_config: config };
}

/** JSON text that is the same for equal values. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

async function invalidRows(served: Served, table: string, rule: Readonly<Record<string, unknown>>) {
  const found = await served.check(table, { column_name: 'v', ...rule }, 100);
  expect(found.error_message).toBeUndefined();
  return found.samples.map(({ row_id: row }) => row);
}

test('equal JSON values are one value, however they are written', async () => {
  const values = [
    '1',
    '1.0',
    '1e0',
    '"1"',
    '2',
    '{"x":1,"y":[2,{"a":1}]}',
    '{"y":[2.0,{"a":1e0}],"x":1}',
    '[1,2]',
    '[2,1]',
  ];
  const text = `[${values.map((v) => `{"v":${v}}`).join(',')}]`;
  await using served = await serve({ 't.json': text });
  expect(await invalidRows(served, 't', { rule_type: 'UNIQUE' })).toEqual([0, 1, 2, 5, 6]);
  const metric = async (type: string) =>
    (await served.capture('t', { metric_type: type, column_name: 'v' })).map(({ value }) => value);
  expect(await metric('distinct_count')).toEqual([6]);
  expect(await metric('duplicate_count')).toEqual([3]);
  const groups = await served.capture('t', { metric_type: 'row_count', group_by_columns: ['v'] });
  expect(groups.map(({ value }) => Number(value)).toSorted((a, b) => a - b)).toEqual([1, 1, 1, 1, 2, 3]);
  expect(groups.map(({ group_values: group }) => group)).toContainEqual({ v: 1 });
});

test('UNIQUE of random JSON finds what JavaScript finds equal', async () => {
  const scalars = constantFrom('1', '1.0', '10e-1', '-0.5', '-5e-1', '0.1', 'true', 'null', '"1"', '"a"');
  const objects = array(scalars, { minLength: 2, maxLength: 2 }).map(
    ([a, b]) => `{"a":${a ?? ''},"b/~":[${b ?? ''}]}`,
  );
  const turned = array(scalars, { minLength: 2, maxLength: 2 }).map(
    ([a, b]) => `{"b/~":[${b ?? ''}],"a":${a ?? ''}}`,
  );
  const values = [
    ...sample(scalars, { numRuns: 12, seed: 1 }),
    ...sample(objects, { numRuns: 80, seed: 2 }),
    ...sample(turned, { numRuns: 80, seed: 3 }),
  ];
  const keys = values.map((text) => canonical(JSON.parse(text)));
  const expected = keys.flatMap((key, row) =>
    key !== 'null' && keys.filter((other) => other === key).length === 1 ? [] : [row],
  );
  await using served = await serve({ 't.ndjson': values.map((v) => `{"v":${v}}`).join('\n') });
  const found = await served.check('t', { rule_type: 'UNIQUE', column_name: 'v' }, 1000);
  expect(found.samples.map(({ row_id: row }) => row)).toEqual(expected);
});

test('numbers beyond 2^53 are compared exactly', async () => {
  const numbers = [
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '9007199254740992.5',
    '1e30',
    'x',
  ];
  await using served = await serve({
    'c.csv': `v\n${numbers.join('\n')}\n`,
    'j.json': JSON.stringify(numbers.map((v) => ({ v }))),
  });
  await writeParquet(
    served,
    'b.parquet',
    'SELECT unnest([9007199254740991, 9007199254740992, 9007199254740993]) AS v',
  );
  for (const table of ['c', 'j']) {
    expect(await invalidRows(served, table, range({ max: 9007199254740992 }))).toEqual([2, 3, 4, 5]);
    expect(await invalidRows(served, table, range({ min: 9007199254740992 }))).toEqual([0, 5]);
  }
  expect(await invalidRows(served, 'b', range({ max: 9007199254740992 }))).toEqual([2]);
  expect(await invalidRows(served, 'b', range({ min: 9007199254740992 }))).toEqual([0]);
  const allowed = { rule_type: 'ENUM', rule_config: { allowed_values: [9007199254740992] } };
  expect(await invalidRows(served, 'b', allowed)).toEqual([0, 2]);
});

test('a 32-bit float is compared as one', async () => {
  await using served = await serve({});
  await writeParquet(
    served,
    'f.parquet',
    "SELECT unnest(['0.1'::FLOAT, '0.2'::FLOAT, 'nan'::FLOAT, 'inf'::FLOAT, NULL]) AS v",
  );
  expect(
    await invalidRows(served, 'f', { rule_type: 'ENUM', rule_config: { allowed_values: [0.1] } }),
  ).toEqual([1, 2, 3, 4]);
  expect(await invalidRows(served, 'f', range({ max: 0.1 }))).toEqual([1, 2, 3, 4]);
  expect(await invalidRows(served, 'f', range({ min: 0.2, max: 1e300 }))).toEqual([0, 2, 3, 4]);
});

test('long samples and groups are cut with a mark, and bounded together', async () => {
  const long = 'x'.repeat(1_900_000);
  await using served = await serve({
    'two.csv': `v\n${long}\n${long}y\nshort\n`,
    'many.csv': `v\n${`${'é'.repeat(4000)}\n`.repeat(3000)}`,
    'deep.json': JSON.stringify([{ v: { list: [long] } }]),
  });
  const never = { rule_type: 'REGEX', column_name: 'v', rule_config: { pattern: '^never$' } };
  const { samples } = await served.check('two', never);
  expect(samples[0]?.value).toMatch(/^x{200}… \(cut: 1900000 characters, md5 [0-9a-f]{32}\)$/);
  expect(samples[1]?.value).not.toBe(samples[0]?.value);
  expect(samples[2]?.value).toBe('short');
  expect(JSON.stringify((await served.check('deep', never)).samples).length).toBeLessThan(400);
  const many = await served.check('many', never, 10_000);
  expect(many.invalid_count).toBe(3000);
  expect(JSON.stringify(many.samples).length).toBeLessThan(5_000_000);
  const groups = await served.capture('two', { metric_type: 'row_count', group_by_columns: ['v'] });
  expect(groups).toHaveLength(3);
  expect(JSON.stringify(groups).length).toBeLessThan(2000);
});
