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
  test('is held against each row; anything but true is invalid', async () => {
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
