import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { attacks } from './attacks.ts';
import { serve, type Served } from '../../support/served.ts';

const secret = 'deep-secret-4711';

let served: Served;
let outside: string;
beforeAll(async () => {
  served = await serve(
    {
      'orders.csv': 'id,amount,customer\n1,10,ann\n2,20,bob\n3,-5,\n4,40,zoe\n',
      'customers.json': JSON.stringify([{ name: 'ann' }, { name: 'bob' }]),
      'eu/customers.csv': 'name\nzoe\n',
      'dq.json': JSON.stringify({ destinations: [{ name: 'ops', url: 'https://a.example/', secret }] }),
    },
    { queryTimeout: 1500 },
  );
  outside = join(served.folder.parent, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'secret.csv'), `word\n${secret}\n`);
  await writeFile(join(outside, 'secret.json'), JSON.stringify([{ word: secret }]));
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
});

async function attempt(expression: string, more: Readonly<Record<string, unknown>> = {}) {
  const path = `/api/v1/sdk/validity/${served.assetId}`;
  const rule = {
    rule_type: 'CUSTOM_SQL',
    table_path: 'shop.main.orders',
    rule_config: { sql_expression: expression },
  };
  const created = await served.call('POST', path, { ...rule, ...more });
  if (created.status !== 200) return { refused: created.body.error };
  const uuid = String(created.body.data?.['uuid']);
  return { checked: await served.checkAgain(uuid) };
}

async function invalidRows(expression: string, more?: Readonly<Record<string, unknown>>) {
  const { checked } = await attempt(expression, more);
  expect(checked?.error_message).toBeUndefined();
  return checked?.samples.map(({ row_id: row }) => row);
}

describe('an expression', () => {
  test('is evaluated for each row; anything but true is invalid', async () => {
    expect(await invalidRows('amount > 0')).toEqual([2]);
    expect(await invalidRows("customer <> 'bob'")).toEqual([1, 2]);
    expect(await invalidRows('amount > 0 -- a comment')).toEqual([2]);
    expect(await invalidRows('amount > 0 /* another */')).toEqual([2]);
    expect(await invalidRows("customer <> 'bob'", { treat_null_as_valid: true })).toEqual([1]);
    expect(
      await invalidRows("customer <> 'bob'", { treat_null_as_valid: true, column_name: 'customer' }),
    ).toEqual([1]);
    expect(await invalidRows('CASE WHEN amount > 0 THEN true END', { column_name: 'customer' })).toEqual([2]);
  });

  test('the sample is the value of the column, or the row', async () => {
    const { checked: column } = await attempt('amount > 0', { column_name: 'amount' });
    expect(column?.samples).toEqual([{ row_id: 2, value: -5 }]);
    const { checked: row } = await attempt('amount > 0');
    expect(row?.samples).toEqual([{ row_id: 2, value: { id: 3, amount: -5, customer: null } }]);
  });

  test('may read other tables of the folder by name', async () => {
    expect(await invalidRows('customer IN (SELECT name FROM customers)')).toEqual([2, 3]);
    expect(await invalidRows('customer IN (SELECT c.name FROM main.customers AS c)')).toEqual([2, 3]);
    expect(
      await invalidRows(
        'customer IN (SELECT name FROM "shop"."main"."customers" UNION FROM shop.eu.customers)',
      ),
    ).toEqual([2]);
    expect(await invalidRows('amount = (SELECT max(amount) FROM orders)')).toEqual([0, 1, 2]);
    expect(
      await invalidRows('amount < (WITH big AS (SELECT amount * 2 AS a FROM orders) SELECT max(a) FROM big)'),
    ).toEqual([]);
    const file = join(served.folder.path, 'customers.json');
    expect(await invalidRows(`customer IN (SELECT name FROM '${file}')`)).toEqual([2, 3]);
    expect(await invalidRows(`customer IN (SELECT name FROM read_json('${file}'))`)).toEqual([2, 3]);
  });

  test('must be boolean', async () => {
    expect((await attempt('amount')).checked).toMatchObject({
      status: 'error',
      error_message: 'the expression must be boolean, it is BIGINT',
    });
  });

  test('an unknown column is an error result', async () => {
    expect((await attempt('amuont > 1')).checked).toMatchObject({
      status: 'error',
      error_message: expect.stringContaining('amuont') as unknown,
    });
  });
});

function customSql(sql: string, more: Readonly<Record<string, unknown>> = {}) {
  return { rule_type: 'CUSTOM_SQL', rule_config: { sql_expression: sql }, ...more };
}

function csv(values: readonly (string | number)[]): string {
  return `id,v\n${values.map((v, id) => `${id},${v}\n`).join('')}`;
}

function json(values: readonly unknown[]): string {
  return JSON.stringify(values.map((v, id) => ({ id, v })));
}

async function invalidOf(folder: Served, table: string, sql: string) {
  const found = await folder.check(table, customSql(sql));
  expect({ sql, error: found.error_message }).toEqual({ sql, error: undefined });
  return found.samples.map(({ row_id: row }) => row);
}

describe('an expression over text', () => {
  const numbers = Array.from({ length: 9 }, (_, row) => row - 1);
  let texts: Served;
  beforeAll(async () => {
    texts = await serve({
      'header.csv': 'id,v\n',
      'nulls.csv': csv(['', '', '']),
      'numbers.csv': csv(numbers),
      'mixed.csv': csv([...numbers, 'n/a']),
      'words.csv': csv(['a', 'b', '7']),
      'days.csv': csv(['2024-01-31', 'n/a', '2024-03-01', '']),
      'flags.csv': csv(['true', 'false', 'true', 'n/a']),
      'codes.csv': csv(['007', '7', 'n/a', '8']),
      'jnulls.json': json([null, null]),
      'jmixed.json': json([...numbers, 'n/a']),
      'jnested.json': json([{ a: 1 }, { a: -1 }]),
    });
  });
  afterAll(async () => {
    await texts[Symbol.asyncDispose]();
  });

  test.each(['v > 0', 'v BETWEEN 1 AND 100', 'abs(v) = v AND v <> 0', 'header.v + 1 > 1', 'v IN (1, 2, 3)'])(
    '%s means the same over numbers, a header, nulls and one n/a',
    async (sql) => {
      const own = (table: string) => sql.replace('header', table);
      expect(await texts.check('header', customSql(own('header')))).toMatchObject({
        status: 'pass',
        total_rows: 0,
      });
      for (const table of ['nulls', 'jnulls']) {
        const found = await texts.check(table, customSql(own(table)));
        expect(found).toMatchObject({ status: 'fail', error_message: undefined });
        expect(found.invalid_count).toBe(found.total_rows);
        expect(
          await texts.check(table, customSql(own(table), { treat_null_as_valid: true, column_name: 'v' })),
        ).toMatchObject({ status: 'pass' });
      }
      const plain = await texts.check('numbers', customSql(own('numbers')));
      for (const table of ['mixed', 'jmixed']) {
        const found = await texts.check(table, customSql(own(table)));
        expect(found.error_message).toBeUndefined();
        expect(found.invalid_count).toBe(Number(plain.invalid_count) + 1);
        expect(found.samples.map(({ row_id: row }) => row)).toEqual([
          ...plain.samples.map(({ row_id: row }) => row),
          9,
        ]);
      }
    },
  );

  test('reads texts, days, flags and nested values as such', async () => {
    expect(await invalidOf(texts, 'words', "v <> 'b'")).toEqual([1]);
    expect(await invalidOf(texts, 'words', 'v > 6')).toEqual([0, 1]);
    expect(await invalidOf(texts, 'words', 'length(v) = 1')).toEqual([]);
    expect(await invalidOf(texts, 'days', "v >= DATE '2024-02-01'")).toEqual([0, 1, 3]);
    expect(await invalidOf(texts, 'days', "v < '2024-02-01'")).toEqual([1, 2, 3]);
    expect(await invalidOf(texts, 'flags', 'v')).toEqual([1, 3]);
    expect(await invalidOf(texts, 'mixed', "v <> 'n/a'")).toEqual([9]);
    expect(await invalidOf(texts, 'mixed', "v NOT LIKE '%/%'")).toEqual([9]);
    expect(await invalidOf(texts, 'codes', 'v::VARCHAR <> id::VARCHAR')).toEqual([2]);
    expect(await invalidOf(texts, 'jnested', 'v.a > 0')).toEqual([1]);
    expect(await invalidOf(texts, 'header', "v > DATE '2024-01-01'")).toEqual([]);
  });

  test('may qualify columns by the table, in subqueries too, and use windows', async () => {
    expect(await invalidOf(served, 'orders', 'orders.amount > 0')).toEqual([2]);
    expect(
      await invalidOf(
        served,
        'orders',
        'NOT EXISTS (SELECT 1 FROM customers c WHERE c.name = orders.customer)',
      ),
    ).toEqual([0, 1]);
    expect(
      await invalidOf(served, 'orders', '(SELECT count(*) FROM orders o WHERE o.amount > orders.amount) < 3'),
    ).toEqual([2]);
    expect(await invalidOf(served, 'orders', 'row_number() OVER (ORDER BY amount) > 1')).toEqual([2]);
    expect(await invalidOf(served, 'orders', 'amount >= lag(amount, 1, amount) OVER (ORDER BY id)')).toEqual([
      2,
    ]);
  });

  test('an aggregate without a subquery is an error result', async () => {
    const found = await served.check('orders', customSql('sum(amount) > 0'));
    expect(found).toMatchObject({ status: 'error' });
    expect(found.error_message).toMatch(/^column "id" must appear in the GROUP BY clause or/);
  });

  test('a reason names neither values nor paths', async () => {
    for (const sql of ['v::VARCHAR::INTEGER > 0', "strptime(v::VARCHAR, '%Y') > DATE '2024-01-01'"]) {
      const { error_message: reason } = await texts.check('mixed', customSql(sql));
      expect(String(reason)).not.toMatch(/n\/a|\/tmp|Error:/);
      expect(String(reason).length).toBeLessThan(320);
    }
  });
});

describe('nothing but the data can be read, and nothing written', () => {
  test(
    'every attack ends as a refusal or an error result, and the service goes on',
    { timeout: 60_000 },
    async () => {
      const before = await readdir(outside);
      for (const expression of attacks(served.folder.path, outside, served.service.state)) {
        const { refused, checked } = await attempt(expression);
        const title = expression.slice(0, 100);
        expect({ title, status: checked?.status ?? refused?.['code'] }).toEqual({
          title,
          status: refused === undefined ? 'error' : 'VALIDATION_ERROR',
        });
        const answer = JSON.stringify([refused, checked]);
        expect(answer).not.toContain(secret);
        expect(checked?.samples ?? []).toEqual([]);
      }
      expect(await invalidRows('amount > 0')).toEqual([2]);
      expect(await readdir(outside)).toEqual(before);
      expect(await readFile(join(served.folder.path, 'orders.csv'), 'utf8')).toContain('4,40,zoe');
    },
  );

  test.each([
    'true); SELECT (true',
    'true) FROM range(3) WHERE (true',
    'true) UNION ALL SELECT (true',
    'true), (true',
    'true) ORDER BY (1',
    'true) LIMIT (1',
    'true) --',
    "EXISTS (FROM glob('*'))",
    'amount > ?',
  ])('%s is refused when the rule is made', async (expression) => {
    expect((await attempt(expression)).refused).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { field: 'rule_config.sql_expression' },
    });
  });

  test('other rules and metrics quote what they are given', async () => {
    const evil = [`x'); DROP TABLE y; --`, `a" OR 1=1 --`, `'`, `"`, `\\`, `$1`, `?`, `x'::INT`, '\n'];
    for (const text of evil) {
      const rule = { table_path: 'shop.main.orders', column_name: 'customer' };
      const found = await served.check('orders', {
        ...rule,
        rule_type: 'ENUM',
        rule_config: { allowed_values: [text] },
      });
      expect(found).toMatchObject({ status: 'fail', invalid_count: 4 });
      expect(
        await served.check('orders', { ...rule, column_name: text, rule_type: 'NOT_NULL' }),
      ).toMatchObject({
        status: 'error',
        error_message: expect.stringContaining('has no column') as unknown,
      });
      const [snapshot] = await served.capture('orders', {
        metric_type: 'row_count',
        group_by_columns: [text],
      });
      expect(snapshot).toMatchObject({ value: null, status: 'ERROR' });
    }
  });
});
