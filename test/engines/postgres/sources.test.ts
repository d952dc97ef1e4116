// Databases as sources of the service: what they show, what they refuse, and what happens when they are away.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { Client } from 'pg';
import { startLocalService } from 'data-quality-client/local';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { freePort } from '../../support/free-port.ts';
import { isPostgresInstalled, type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { serve, type Served } from '../../support/served.ts';
import { check, type Subject } from '../subject.ts';
import { testFolder } from '../../support/test-folder.ts';

const password = 'p@ss/w:rd%?#';

function idOf(served: Served, name: string): string {
  return served.service.assets.find((asset) => asset.name === name)?.id ?? '';
}

describe.runIf(isPostgresInstalled)('a PostgreSQL source', () => {
  let server: PostgresServer;
  let served: Served;
  let client: Client;

  beforeAll(async () => {
    server = await startPostgres();
    client = new Client(server.url);
    await client.connect();
    await client.query(`
      CREATE SCHEMA sales;
      CREATE TABLE sales.orders (shop int, number int, amount numeric, "odd ""name" text, PRIMARY KEY (shop, number));
      INSERT INTO sales.orders SELECT n % 3, n, n, 'x' FROM generate_series(1, 30) n;
      CREATE VIEW sales.large AS SELECT * FROM sales.orders WHERE amount > 20;
      CREATE TABLE sales.secret (id int);
      CREATE TABLE sales.seen (at timestamptz, text text);
      INSERT INTO sales.seen VALUES ('2024-01-31 10:00+02', '2024-01-31T08:00:00Z'), ('2999-01-01', '2999-01-01'), (NULL, 'never');
      CREATE ROLE reader LOGIN;
      GRANT USAGE ON SCHEMA sales TO reader;
      GRANT SELECT ON sales.orders, sales.large, sales.seen TO reader;`);
    const url = `postgres://reader@127.0.0.1:${server.port}/postgres`;
    served = await serve(
      {
        'dq.json': JSON.stringify({
          assets: [
            {
              name: 'shop-db',
              freshness: { table: 'shop-db.sales.seen', timestamp_column: 'at', threshold: '24h' },
            },
            { name: 'text-db', freshness: { table: 'text-db.sales.seen', timestamp_column: 'text' } },
          ],
        }),
      },
      { sources: { 'shop-db': url, 'text-db': url }, queryTimeout: 2000 },
    );
  });
  afterAll(async () => {
    await client?.end();
    await served?.[Symbol.asyncDispose]();
    await server?.stop();
  });

  const orders = (): Subject => ({ assetId: idOf(served, 'shop-db'), table: 'shop-db.sales.orders' });
  const expression = async (sql: string) =>
    check(served, orders(), [null, 'CUSTOM_SQL', { sql_expression: sql }, false]);

  test('lists the tables and views that its role may read', async () => {
    const tables = (await served.service.tables()).filter((path) => path.startsWith('shop-db.'));
    expect(tables).toEqual(['shop-db.sales.large', 'shop-db.sales.orders', 'shop-db.sales.seen']);
  });

  test('samples carry the columns of the primary key beside the value', async () => {
    const found = await check(served, orders(), ['amount', 'RANGE', { max: 29 }, false]);
    expect(found).toMatchObject({ total: 30, invalid: 1 });
    expect(found.samples).toEqual([{ row_id: null, value: 30, shop: 0, number: 30 }]);
  });

  test('a sample of a rule without a column is the whole row', async () => {
    const found = await expression('amount < 30');
    expect(found.samples?.[0]?.['value']).toEqual({ shop: 0, number: 30, amount: 30, 'odd "name': 'x' });
  });

  test('a view is a table', async () => {
    const view = { ...orders(), table: 'shop-db.sales.large' };
    const found = await check(served, view, ['odd "name', 'NOT_NULL', undefined, false]);
    expect(found).toMatchObject({ total: 10, invalid: 0 });
  });

  test.each([
    ['amount > 0) OR (1 = 1', 'brackets do not match'],
    ['amount > 0; DROP TABLE sales.orders', 'a single expression'],
    ["amount > 0 -- '", 'comment'],
    ["amount > 0 /* '", 'comment'],
    ["'a", 'not closed'],
    ['pg_sleep(10) IS NULL', 'must not call pg_sleep'],
    ['"pg_sleep" (10) IS NULL', 'must not call pg_sleep'],
    ["set_config('statement_timeout', '0', false) IS NULL", 'must not call set_config'],
    ['U&"pg\\005Fsleep"(10) IS NULL', 'not closed'],
  ])('refuses the expression %j when the rule is created', async (sql, reason) => {
    await expect(expression(sql)).rejects.toThrow(reason);
  });

  test.each([
    ['amount', 'the expression must be boolean, it is numeric'],
    ['count(*) > 1', 'must appear in the GROUP BY clause'],
    ['nothing > 1', 'column "nothing" does not exist'],
    ['EXISTS (SELECT FROM sales.secret)', 'permission denied for table secret'],
    [
      `(SELECT count(*) FROM generate_series(1, 1000000000) a) > amount`,
      'the query took longer than 2000 ms',
    ],
    ["('x' || amount)::int > 0", 'invalid input syntax for type integer: a value'],
  ])('explains why %j cannot be evaluated', async (sql, reason) => {
    expect((await expression(sql)).error).toContain(reason);
  });

  test('one expression that fails does not fail the others of the same scan', async () => {
    const rules = ['amount > 0', '1 / (amount - amount) > 0', 'amount > 1', 'shop >= 0'];
    const found = await Promise.all(rules.map(expression));
    expect(found.map(({ invalid, error }) => error ?? invalid)).toEqual([0, 'division by zero', 1, 0]);
  });

  test('an expression can use windows and subqueries', async () => {
    expect(await expression('count(*) OVER (PARTITION BY shop) = 10')).toMatchObject({ invalid: 0 });
    expect(await expression('amount > (SELECT avg(amount) FROM sales.orders)')).toMatchObject({
      invalid: 15,
    });
  });

  test('nothing that a query does is kept', async () => {
    await client.query(
      'CREATE FUNCTION public.write() RETURNS boolean LANGUAGE sql AS $$ INSERT INTO sales.secret VALUES (1); SELECT true $$',
    );
    expect((await expression('public.write()')).error).toContain('read-only transaction');
  });

  test.each([
    ['shop-db', 'at', '2024-01-31T08:00:00Z'],
    ['text-db', 'text', '2024-01-31T08:00:00Z'],
  ])('reads the newest time of %s that is not in the future', async (name, column, expected) => {
    const { body } = await served.call('GET', `/api/v1/assets/${idOf(served, name)}/freshness`);
    expect(body.data).toMatchObject({ last_updated: expected, timestamp_column: column });
  });

  test('a changed table is seen by the next check', async () => {
    await client.query('CREATE TABLE sales.moving (a int); GRANT SELECT ON sales.moving TO reader');
    const moving = { ...orders(), table: 'shop-db.sales.moving' };
    expect((await check(served, moving, ['b', 'NOT_NULL', undefined, false])).error).toContain('no column b');
    await client.query('ALTER TABLE sales.moving ADD b int');
    expect(await check(served, moving, ['b', 'NOT_NULL', undefined, false])).toMatchObject({ total: 0 });
    await client.query('DROP TABLE sales.moving');
    expect((await check(served, moving, ['b', 'NOT_NULL', undefined, false])).error).toContain('no table');
  });
});

describe('a source that is away', () => {
  test.each(['postgres', 'clickhouse'])(
    '%s: checks are errors, health is degraded, and the password is nowhere',
    async (scheme) => {
      const port = await freePort();
      const logged: unknown[] = [];
      process.env['SECRET_OF_TEST'] = password;
      const url = `${scheme}://reader:\${SECRET_OF_TEST}@127.0.0.1:${port}/shop`;
      const served = await serve(
        { 't.csv': 'a\n1\n' },
        {
          sources: { away: url },
          onLog: (entry) => logged.push(entry),
          onError: (error) => logged.push(String(error)),
        },
      );
      const seen: unknown[] = [];
      try {
        const found = await check(served, { assetId: idOf(served, 'away'), table: 'away.public.t' }, [
          'a',
          'NOT_NULL',
          undefined,
          false,
        ]);
        expect(found.error).toContain('cannot be reached');
        const health = await served.call('GET', '/health');
        expect(health).toMatchObject({ status: 200, body: { status: 'degraded' } });
        const file = await check(served, { assetId: idOf(served, 'shop'), table: 'shop.main.t' }, [
          'a',
          'NOT_NULL',
          undefined,
          false,
        ]);
        expect(file).toMatchObject({ total: 1, invalid: 0 });
        seen.push(found, health, served.service, await served.service.tables());
      } finally {
        delete process.env['SECRET_OF_TEST'];
        await served.service.close();
      }
      for (const name of await readdir(served.service.state, { recursive: true, withFileTypes: true })) {
        if (name.isFile()) seen.push(await readFile(join(name.parentPath, name.name), 'latin1'));
      }
      await served[Symbol.asyncDispose]();
      const text = JSON.stringify([seen, logged]);
      expect(text).toContain('cannot be reached');
      expect(text).not.toContain(password);
      expect(text).not.toContain(encodeURIComponent(password));
    },
  );
});

/** Everything that is known about why a service over a source did not start. */
async function failure(source: string): Promise<string> {
  const state = await mkdtemp(join(testFolder, 'dq-source-'));
  try {
    await using _ = await startLocalService({ sources: { shop: source }, state });
    return 'it started';
  } catch (error) {
    return inspect(error);
  } finally {
    await rm(state, { recursive: true });
  }
}

describe('the address of a source', () => {
  test.each([
    ['mysql://reader:s3cret@db/shop', 'The source shop needs an address such as postgres://'],
    ['postgres://reader:s3cret@db:port/shop', 'The source shop needs an address such as postgres://'],
    ['${NO_SUCH_VARIABLE}', 'needs the environment variable NO_SUCH_VARIABLE, which is not set'],
    ['', 'needs an address'],
  ])('%j is refused without its password', async (source, reason) => {
    const text = await failure(source);
    expect(text).toContain(reason);
    expect(text).not.toContain('s3cret');
  });

  test('a password in dq.json is refused, a variable is not', async () => {
    const folder = await mkdtemp(join(testFolder, 'dq-source-'));
    const start = async (url: string) => {
      const asset = { name: 'shop', source: { url } };
      await writeFile(join(folder, 'dq.json'), JSON.stringify({ assets: [asset] }));
      await using service = await startLocalService({ data: folder, state: join(folder, '.state') });
      return service.assets.map(({ name }) => name);
    };
    try {
      await expect(start('postgres://reader:s3cret@db/shop')).rejects.toThrow('has a password in dq.json');
      await expect(start('postgres://db/shop?password=s3cret')).rejects.toThrow('has a password in dq.json');
      process.env['SECRET_OF_TEST'] = password;
      expect(await start('postgres://reader:${SECRET_OF_TEST}@127.0.0.1/shop')).toContain('shop');
    } finally {
      delete process.env['SECRET_OF_TEST'];
      await rm(folder, { recursive: true });
    }
  });

  test('a server that never responds makes the check an error', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const served = await serve(
      {},
      { sources: { away: `clickhouse://127.0.0.1:${port}/x` }, queryTimeout: 1 },
    );
    try {
      const found = await check(served, { assetId: idOf(served, 'away'), table: 'away.x.t' }, [
        'a',
        'NOT_NULL',
        undefined,
        false,
      ]);
      expect(found.error).toContain('took longer than');
    } finally {
      await served[Symbol.asyncDispose]();
      silent.close();
    }
  });
});
