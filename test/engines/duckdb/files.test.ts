import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import { DuckDBInstance } from '@duckdb/node-api';
import { array, constantFrom, sample } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { serve, type Served } from '../../support/served.ts';

const notNull = { rule_type: 'NOT_NULL', column_name: 'id' };

async function expression(served: Served, table: string, sql: string, more: Record<string, unknown> = {}) {
  const rule = { rule_type: 'CUSTOM_SQL', rule_config: { sql_expression: sql } };
  return served.check(table, { ...rule, ...more });
}

describe('a name of a file', () => {
  test('with *, ? or [ in it is the name of that file only', async () => {
    await using served = await serve({
      'orders[1].csv': 'id,email\n,\n,\n',
      'orders1.csv': 'id\n1\n2\n3\n',
      'x*.csv': 'id\n1\n',
      'xy.csv': 'id\n1\n2\n',
      'q?.json': '[{"id":null}]',
      'qq.json': '[{"id":1},{"id":2}]',
      '[!a]/t[a-z]{b}.csv': 'id\n1\n\n',
      'b/tc.csv': 'id\n1\n2\n3\n',
      '*.csv': 'id\n7\n',
    });
    const counts = async (table: string) => {
      const { status, total_rows: rows, invalid_count: invalid } = await served.check(table, notNull);
      return [status, rows, invalid];
    };
    expect(await counts('orders[1]')).toEqual(['fail', 2, 2]);
    expect(await counts('orders1')).toEqual(['pass', 3, 0]);
    expect(await counts('x*')).toEqual(['pass', 1, 0]);
    expect(await counts('q?')).toEqual(['fail', 1, 1]);
    expect(await counts('shop.[!a].t[a-z]{b}')).toEqual(['fail', 2, 1]);
    expect(await counts('*')).toEqual(['pass', 1, 0]);
    expect(await expression(served, 'x*', 'id = (SELECT max(id) FROM "x*")')).toMatchObject({
      status: 'pass',
      total_rows: 1,
    });
    expect(await served.capture('x*', { metric_type: 'row_count' })).toMatchObject([{ value: 1 }]);
  });

  test('of any characters reads that file only', { timeout: 60_000 }, async () => {
    const character = constantFrom(...Array.from('*?[]!^-{}\\a1 \'"%$,;~#()é'));
    const names = sample(
      array(character, { minLength: 1, maxLength: 6 })
        .map((characters) => characters.join('').trim())
        .filter((name) => name !== ''),
      { numRuns: 40, seed: 7 },
    );
    const unique = [...new Set(names)];
    const files = Object.fromEntries(
      unique.map((name, at) => [`${name}.csv`, `id\n${'1\n'.repeat(at)}`] as const),
    );
    await using served = await serve(files);
    for (const [at, name] of unique.entries()) {
      const [snapshot] = await served.capture(name, { metric_type: 'row_count' });
      expect({ name, rows: snapshot?.['value'] }).toEqual({ name, rows: at });
    }
  });

  test('of a folder such as year=2024 adds no column', async () => {
    await using served = await serve({ 'year=2024/t.csv': 'id\n1\n\n', 'year=2024/j.json': '[{"id":1}]' });
    expect(await expression(served, 'shop.year=2024.t', 'id > 0')).toMatchObject({ invalid_count: 1 });
    expect(await expression(served, 'shop.year=2024.j', 'id > 0')).toMatchObject({ status: 'pass' });
    expect(await expression(served, 'shop.year=2024.t', 'year = 2024')).toMatchObject({ status: 'error' });
  });
});

describe('a file', () => {
  test('that a symbolic link leads to is read inside the folder and refused outside', async () => {
    await using served = await serve({ 'own.csv': 'id\n1\n' });
    const outside = join(served.folder.parent, 'secret.csv');
    await writeFile(outside, 'id\nsecret\n');
    await mkdir(join(served.folder.parent, 'shopping'));
    await writeFile(join(served.folder.parent, 'shopping', 'a.csv'), 'id\nsecret\n');
    await symlink(join(served.folder.path, 'own.csv'), join(served.folder.path, 'same.csv'));
    await symlink(outside, join(served.folder.path, 'out.csv'));
    await symlink('../shopping/a.csv', join(served.folder.path, 'near.csv'));
    await symlink('nowhere.csv', join(served.folder.path, 'gone.csv'));
    expect(await served.check('same', notNull)).toMatchObject({ status: 'pass', total_rows: 1 });
    for (const table of ['out', 'near']) {
      expect(await served.check(table, notNull)).toMatchObject({
        status: 'error',
        error_message: `shop.main.${table} is a symbolic link that leads out of the data folder`,
      });
    }
    expect(await served.check('gone', notNull)).toMatchObject({
      error_message: 'shop.main.gone is a symbolic link that leads nowhere',
    });
    expect(await expression(served, 'own', "id IN (FROM 'out.csv')")).toMatchObject({ status: 'error' });
    expect(await expression(served, 'own', `EXISTS (FROM read_csv('${outside}'))`)).toMatchObject({
      status: 'error',
    });
  });

  test('that is a pipe is refused at once', async () => {
    await using served = await serve({ 'own.csv': 'id\n1\n' });
    await promisify(execFile)('mkfifo', [join(served.folder.path, 'pipe.csv')]);
    expect(await served.check('pipe', notNull)).toMatchObject({
      error_message: 'shop.main.pipe is not a regular file',
    });
  });

  test('whose gzip breaks off or is damaged is an error', async () => {
    const rows = Array.from({ length: 9000 }, (_, row) => `${row},${Math.sin(row)}`);
    const csv = gzipSync(['id,v', ...rows, ''].join('\n'));
    const json = gzipSync(JSON.stringify(rows.map((v, id) => ({ id, v }))));
    const damaged = Buffer.from(csv);
    damaged.writeUInt8(damaged.readUInt8(5000) ^ 0xff, 5000);
    await using served = await serve({
      'whole.csv.gz': csv,
      'two.csv.gz': Buffer.concat([csv, gzipSync('9000,x\n')]),
      'cut.csv.gz': csv.subarray(0, csv.length * 0.4),
      'last.csv.gz': csv.subarray(0, csv.length - 1),
      'cut.tsv.gz': '',
      'lines.ndjson.gz': json.subarray(0, json.length * 0.4),
      'damaged.csv.gz': damaged,
      'none.csv.gz': 'id\n1\n',
    });
    expect(await served.check('whole', notNull)).toMatchObject({ status: 'pass', total_rows: 9000 });
    expect(await served.check('two', notNull)).toMatchObject({ status: 'pass', total_rows: 9001 });
    await served.folder.write('cut.tsv.gz', csv.subarray(0, 5));
    for (const [table, reason] of [
      ['last', 'is a gzip file that breaks off'],
      ['lines', 'is a gzip file that breaks off'],
      ['damaged', 'is not a readable gzip file'],
      ['none', 'is not a readable gzip file'],
    ] as const) {
      expect(await served.check(table, notNull)).toMatchObject({
        status: 'error',
        error_message: `shop.main.${table} ${reason}`,
      });
      expect(await served.capture(table, { metric_type: 'row_count' })).toMatchObject([{ value: null }]);
    }
  });

  test(
    'that is not a regular csv is an error that says why, for everything that reads it',
    { timeout: 30_000 },
    async () => {
      const cases = [
        ['a row that is too long', 'a,b\n1,2\n3,4,5\n6,7\n', 'line 3 has 3 fields instead of 2'],
        ['a row that is too short', 'a,b\n1,2\n3\n6,7\n', 'line 3 has 1 field instead of 2'],
        ['a footer', 'a;b;c\n1;2;3\n3 rows\n', 'line 3 has 1 field instead of 3'],
        ['a header that is too long', 'a,b,\n1,2\n', 'line 2 has 2 fields instead of 3'],
        ['a late ragged row', `a,b\n${'1,2\n'.repeat(30_000)}3\n`, 'line 30002 has 1 field instead of 2'],
        ['line ends that differ', 'a,b\r\n1,2\r\n3,4\n', 'its lines end in different ways'],
        ['line ends that differ later', `a,b\n${'1,"2"\n'.repeat(5)}8,"9"\r\n`, 'end in different ways'],
        ['an open quote', 'a,b\n1,"x\n2,y\n', 'line 2 has a quote that is not closed'],
        ['a long line', `a,b\n1,${'x'.repeat(3_000_000)}\n`, 'line 2 is longer than 2 MB'],
        ['Latin-1', Buffer.from('a,b\n\xe9,2\n', 'latin1'), 'is not encoded as UTF-8'],
        ['UTF-16', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le'), 'is not encoded as UTF-8'],
        ['nothing', '', 'is empty: a csv begins with a header'],
        ['blank lines', '\n\n', 'is empty: a csv begins with a header'],
      ] as const;
      const files = Object.fromEntries(cases.map(([name, content]) => [`${name}.csv`, content] as const));
      await using served = await serve(files);
      for (const [table, , reason] of cases) {
        const [snapshot] = await served.capture(table, { metric_type: 'row_count' });
        const found = [
          await served.check(table, { rule_type: 'NOT_NULL', column_name: 'a' }),
          await expression(served, table, 'true'),
          snapshot,
        ];
        for (const one of found) {
          const message = String(one?.error_message);
          expect({ table, message }).toEqual({ table, message: expect.stringContaining(reason) as unknown });
          expect(message.length).toBeLessThan(200);
          expect(message).not.toMatch(/\/|xxx/);
        }
      }
    },
  );

  test('in JSON with a byte order mark is an error, in csv it is read', async () => {
    const mark = '\ufeff';
    await using served = await serve({
      'array.json': `${mark}[{"id":1},{"id":2}]`,
      'lines.ndjson': `${mark}{"id":1}\n{"id":2}\n`,
      'rows.csv': `${mark}id,v\n1,2\n`,
    });
    for (const table of ['array', 'lines']) {
      expect(await served.capture(table, { metric_type: 'row_count' })).toMatchObject([
        { value: null, error_message: expect.stringContaining('begins with a byte order mark') as unknown },
      ]);
    }
    expect(await served.check('rows', notNull)).toMatchObject({ status: 'pass', total_rows: 1 });
  });

  test('of odd but regular shape is read', async () => {
    await using served = await serve({
      'one.csv': 'text\na,b\n"c;d"\n\nx|y\n',
      'blank.csv': '\n\nid,v\n\n1,2\n\n3,4\n\n',
      'comma.csv': '"a, b";c\n"1;2";3\n',
      'tie.csv': 'name, first;id\nann;1\nbob;2\n',
      'pipe.csv': 'a|b\n1|2,3\n',
      'tab.csv': 'a\tb\n1\t2\n',
      'broken.json': '[{"id":1},{"id":2},{"id"',
    });
    const count = async (table: string, column: string) =>
      served.check(table, { rule_type: 'NOT_NULL', column_name: column });
    expect(await count('one', 'text')).toMatchObject({ total_rows: 4, invalid_count: 1 });
    expect(await count('blank', 'v')).toMatchObject({ total_rows: 2, status: 'pass' });
    expect(await count('comma', 'a, b')).toMatchObject({ total_rows: 1, status: 'pass' });
    expect(await count('tie', 'id')).toMatchObject({ total_rows: 2, status: 'pass' });
    expect(await count('pipe', 'b')).toMatchObject({ total_rows: 1, status: 'pass' });
    expect(await count('tab', 'b')).toMatchObject({ total_rows: 1, status: 'pass' });
    expect(await count('broken', 'id')).toMatchObject({
      error_message: expect.stringMatching(/^shop\.main\.broken cannot be read: .{5,60}$/) as unknown,
    });
  });
});

describe('columns whose names differ only in case', () => {
  const rows = [
    { id: 1, ID: null },
    { id: 2, ID: 5 },
    { id: null, ID: null },
  ];

  test('are two columns of rules, metrics, groups and freshness', async () => {
    await using served = await serve({
      'c.csv': 'id,ID\n1,\n2,5\n"",\n',
      'p.csv.gz': gzipSync('id,ID\n1,\n2,5\n"",\n'),
      'j.json': JSON.stringify(rows),
      'l.ndjson': rows.map((row) => JSON.stringify(row)).join('\n'),
      'f.csv': `at,AT\n${new Date(Date.now() - 600_000).toISOString()},2001-01-01\n`,
      'dq.json': JSON.stringify({
        assets: [{ freshness: { table: 'shop.main.f', timestamp_column: 'AT', threshold: '1h' } }],
      }),
    });
    for (const table of ['c', 'p', 'j', 'l']) {
      const nulls = async (column: string) =>
        (await served.check(table, { rule_type: 'NOT_NULL', column_name: column })).samples.map(
          ({ row_id: row }) => row,
        );
      expect({ table, rows: await nulls('id') }).toEqual({ table, rows: [2] });
      expect({ table, rows: await nulls('ID') }).toEqual({ table, rows: [0, 2] });
      expect(await served.check(table, { rule_type: 'NOT_NULL', column_name: 'Id' })).toMatchObject({
        status: 'error',
        error_message: expect.stringContaining('whose names differ only in case') as unknown,
      });
      const [percent] = await served.capture(table, { metric_type: 'null_percent', column_name: 'ID' });
      expect(percent?.['value']).toBeCloseTo(200 / 3);
      const groups = await served.capture(table, {
        metric_type: 'max_value',
        column_name: 'ID',
        group_by_columns: ['id'],
      });
      expect(groups.map(({ value }) => value)).toEqual([null, 5, null]);
      expect(await expression(served, table, '"ID" IS NOT NULL')).toMatchObject({
        status: 'error',
        error_message: expect.stringContaining('SQL cannot distinguish them') as unknown,
      });
      expect(await expression(served, table, 'true')).toMatchObject({ status: 'pass', total_rows: 3 });
    }
    const { body } = await served.call('GET', `/api/v1/assets/${served.assetId}/freshness`);
    expect(body.data).toMatchObject({ status: 'stale', last_updated: '2001-01-01T00:00:00Z' });
  });

  test('are two columns of a parquet', async () => {
    await using served = await serve({});
    const path = join(served.folder.path, 'p.parquet');
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(
      `COPY (SELECT * FROM (VALUES (1, NULL), (2, 5), (NULL, NULL)) AS t(id, xx)) TO '${path}' (FORMAT parquet)`,
    );
    connection.closeSync();
    // DuckDB would not write both names; other writers do.
    const { readFile } = await import('node:fs/promises');
    const written = await readFile(path, 'latin1');
    await writeFile(path, written.replaceAll('xx', 'ID'), 'latin1');
    const nulls = async (column: string) =>
      (await served.check('p', { rule_type: 'NOT_NULL', column_name: column })).invalid_count;
    expect([await nulls('id'), await nulls('ID')]).toEqual([1, 2]);
    expect(await expression(served, 'p', 'id > 0')).toMatchObject({ status: 'error' });
  });

  test('are one column if there is only one of them', async () => {
    await using served = await serve({ 't.csv': 'Id\n1\n\n', 'n.csv': 'a,a_1\n1,2\n', 'd.csv': 'x,x\n1,\n' });
    expect(await served.check('t', notNull)).toMatchObject({ invalid_count: 1 });
    expect(await served.check('n', { rule_type: 'NOT_NULL', column_name: 'a_1' })).toMatchObject({
      status: 'pass',
    });
    expect(await served.check('d', { rule_type: 'NOT_NULL', column_name: 'x_1' })).toMatchObject({
      invalid_count: 1,
    });
  });
});
