// Databases on the command line: as sources, as state, and that no output contains a password.
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { dq, type Run, startDq } from '../support/dq.ts';
import { isPostgresInstalled, type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { testFolder } from '../support/test-folder.ts';

const password = 'p@ss/w:rd%?#';

// One story: what is made first is looked at, served and searched for the password afterwards.
describe.runIf(isPostgresInstalled)('databases', { shuffle: false }, () => {
  let server: PostgresServer;
  /** With the password written out, and as a variable. */
  let written: string;
  let referred: string;
  let state: string;
  const outputs: string[] = [];

  const run = async (args: readonly string[], cwd?: string): Promise<Run> => {
    const ended = await dq(args, { env: { SHOP_PASSWORD: password }, ...(cwd !== undefined && { cwd }) });
    outputs.push(ended.stdout, ended.stderr);
    return ended;
  };

  beforeAll(async () => {
    server = await startPostgres();
    const client = new Client(server.url);
    await client.connect();
    await client.query('CREATE DATABASE state');
    await client.query('CREATE SCHEMA sales');
    await client.query('CREATE TABLE sales.orders (order_id int, customer_id int, created_at timestamptz)');
    await client.query('INSERT INTO sales.orders VALUES (1, 1, now()), (1, NULL, now())');
    await client.end();
    written = `postgres://owner:${encodeURIComponent(password)}@127.0.0.1:${server.port}/postgres`;
    referred = `postgres://owner:\${SHOP_PASSWORD}@127.0.0.1:${server.port}/postgres`;
    state = `postgres://owner:\${SHOP_PASSWORD}@127.0.0.1:${server.port}/state`;
  }, 60_000);
  afterAll(async () => server.stop());

  test(
    'dq init writes dq.json without the password and rules for the columns it finds, which can be checked',
    { timeout: 60_000 },
    async () => {
      const folder = await mkdtemp(join(testFolder, 'dq-init-'));
      const made = await run(['init', '--source', `shop=${written}`], folder);
      expect(made).toMatchObject({ code: 0, stderr: '' });
      expect(made.stdout).toContain(
        'The password was not written down: set SHOP_PASSWORD in the environment.',
      );
      expect(made.stdout).toContain(`dq rules check --source 'shop=${referred}' rules.yaml`);
      expect(JSON.parse(await readFile(join(folder, 'dq.json'), 'utf8'))).toEqual({
        assets: [
          {
            name: 'shop',
            source: { url: referred },
            freshness: { table: 'shop.sales.orders', timestamp_column: 'created_at', threshold: '24h' },
          },
        ],
      });
      const rules = await readFile(join(folder, 'rules.yaml'), 'utf8');
      expect(rules).toContain('shop.sales.orders');
      const checked = await run(['rules', 'check', '--source', `shop=${referred}`, 'rules.yaml'], folder);
      expect(checked.code).toBe(1);
      expect(checked.stdout).toContain('customer_id');
      expect(await run(['init'], folder)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          'Name a folder of data files (`dq init .` for this one), or a database with --source.',
        ) as unknown,
      });
    },
  );

  test('dq doctor looks at sources and at a state, and changes nothing', { timeout: 60_000 }, async () => {
    const fine = await run(['doctor', '--source', `shop=${referred}`, '--state', state]);
    expect(fine.code).toBe(0);
    expect(fine.stdout).toContain('shop: 1 table with 3 columns');
    expect(fine.stdout).toMatch(
      /PostgreSQL \S+.* at postgres:\/\/127\.0\.0\.1:\d+\/state: empty, the first start/,
    );
    const client = new Client(server.url.replace(/\/postgres$/, '/state'));
    await client.connect();
    const { rows } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname LIKE 'data_quality%'");
    await client.end();
    expect(rows).toEqual([]);
    const away = written.replace(`:${server.port}/`, ':1/');
    const failed = await run(['doctor', '--source', `shop=${away}`, '--state', away]);
    expect(failed.code).toBe(6);
    expect(failed.stdout).toMatch(/source +failed +PostgreSQL cannot be reached/);
    expect(failed.stdout).toMatch(
      /state +failed +The state in postgres:\/\/127\.0\.0\.1:1\/postgres cannot be used/,
    );
  });

  test(
    'dq serve shares a state, dq doctor shows its health, and SIGTERM ends it',
    { timeout: 60_000 },
    async () => {
      const args = [
        'serve',
        '--source',
        `shop=${referred}`,
        '--state',
        state,
        '--port',
        '0',
        '--json',
        '--log',
        'json',
      ];
      const serving = startDq(args, { env: { SHOP_PASSWORD: password } });
      const facts = JSON.parse(await serving.says('}\n')) as {
        url: string;
        state: string;
        keys: { admin: string };
      };
      expect(facts.state).toBe(`postgres://127.0.0.1:${server.port}/state`);
      const doctor = await run(['doctor', '--base-url', facts.url, '--api-key', facts.keys.admin]);
      expect(doctor.stdout).toMatch(/state +ok +can be reached/);
      expect(doctor.stdout).toMatch(/data +ok +shop/);
      serving.terminate();
      const ended = await serving.ended;
      outputs.push(ended.stdout, ended.stderr);
      expect(ended.stderr).not.toContain('failure');
      // What is stored names the source, but not how to get into it.
      const client = new Client(server.url.replace(/\/postgres$/, '/state'));
      await client.connect();
      const { rows } = await client.query<{ dump: string }>(
        "SELECT schema_to_xml('data_quality', true, false, '')::text || schema_to_xml('data_quality_jobs', true, false, '')::text AS dump",
      );
      await client.end();
      outputs.push(rows[0]?.dump ?? '');
      const again = await run(['doctor', '--state', state]);
      expect(again.stdout).toContain('tables of version 1');
    },
  );

  test('no output and no row of the state contains the password', () => {
    expect(outputs.length).toBeGreaterThan(10);
    const forms = [password, encodeURIComponent(password), encodeURI(password)];
    expect(outputs.filter((output) => forms.some((form) => output.includes(form)))).toEqual([]);
  });
});
