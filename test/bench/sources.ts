/**
 * What a check made inside a database costs over the same SQL sent directly: 10,000,000 rows in PostgreSQL, 100,000,000
 * in ClickHouse, on one server and on a cluster of two. Needs both servers to be installed.
 * Run with: node test/bench/sources.ts
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';

import { startLocalService } from '../../src/local/index.ts';
import { startClickHouseCluster } from '../support/clickhouse-server.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { median, ratio, render, type Table } from './table.ts';

const rounds = 5;

interface Case {
  readonly rule: Readonly<Record<string, unknown>>;
  /** The condition of a valid row as one would write it by hand. */
  readonly postgres: string;
  readonly clickHouse: string;
}

const cases: readonly Case[] = [
  {
    rule: { rule_type: 'RANGE', column_name: 'amount', rule_config: { min: 0, max: 995 } },
    postgres: 'amount BETWEEN 0 AND 995',
    clickHouse: 'amount BETWEEN 0 AND 995',
  },
  {
    rule: { rule_type: 'REGEX', column_name: 'code', rule_config: { pattern: '^[0-8]' } },
    postgres: `code ~ '^[0-8]'`,
    clickHouse: `match(code, '^[0-8]')`,
  },
  {
    rule: { rule_type: 'CUSTOM_SQL', rule_config: { sql_expression: 'amount < 990' } },
    postgres: 'amount < 990',
    clickHouse: 'amount < 990',
  },
];

/** Something that is measured: how its own client sends a query, and the table that the rules name. */
interface Subject {
  readonly title: string;
  readonly table: string;
  readonly count: (condition: Case) => Promise<unknown>;
}

/** Measures each kind of check in each database. */
export async function run(shorter = 1): Promise<Table> {
  const postgresRows = 10_000_000 / shorter;
  const clickHouseRows = 100_000_000 / shorter;
  const postgres = await startPostgres();
  const cluster = await startClickHouseCluster();
  const state = await mkdtemp(join(tmpdir(), 'dq-sources-'));
  const client = new Client(postgres.url);
  try {
    await client.connect();
    await client.query(
      `CREATE TABLE t AS SELECT n AS id, n % 1000 AS amount, md5(n::text) AS code FROM generate_series(1, ${postgresRows}) n`,
    );
    await client.query('VACUUM ANALYZE t');
    const columns = 'id UInt64, amount Int32, code String';
    const select = `SELECT number, toInt32(number % 1000), lower(hex(MD5(toString(number)))) FROM system.numbers LIMIT`;
    const half = clickHouseRows / 2;
    for (const shard of [0, 1] as const) {
      await cluster.run(shard, `CREATE TABLE l (${columns}) ENGINE = MergeTree ORDER BY id`);
      await cluster.run(shard, `INSERT INTO l ${select} ${half}`);
    }
    await cluster.run(0, 'CREATE TABLE d AS l ENGINE = Distributed(two, default, l, id)');
    await cluster.run(0, `CREATE TABLE one (${columns}) ENGINE = MergeTree ORDER BY id`);
    await cluster.run(0, `INSERT INTO one ${select} ${clickHouseRows}`);
    await using service = await startLocalService({
      state,
      sources: {
        pg: postgres.url,
        ch: `clickhouse://127.0.0.1:${cluster.ports[0]}/default`,
      },
    });
    const subjects: readonly Subject[] = [
      {
        title: `PostgreSQL, ${postgresRows.toLocaleString('en')} rows`,
        table: 'pg.public.t',
        count: async ({ postgres: valid }) =>
          client.query(`SELECT count(*), count(*) - count(*) FILTER (WHERE ${valid}) FROM t`),
      },
      ...(['one', 'd'] as const).map((table): Subject => ({
        title: `ClickHouse, ${clickHouseRows.toLocaleString('en')} rows, ${table === 'd' ? 'two shards' : 'one server'}`,
        table: `ch.default.${table}`,
        count: async ({ clickHouse: valid }) =>
          cluster.run(0, `SELECT count(), countIf(NOT (${valid})) FROM ${table}`),
      })),
    ];
    const rows: string[][] = [];
    for (const subject of subjects) {
      for (const condition of cases) rows.push(await measure(service, subject, condition));
    }
    const memory = `${Math.round(process.memoryUsage().rss / 2 ** 20)} MB`;
    return {
      title: 'Checks made inside databases',
      note: `By the clock, over HTTP, with counts alone; median of ${rounds} rounds. To reach: at most 1.1 × the same SQL sent directly. Memory of the process afterwards: ${memory}.`,
      columns: ['', 'rule', 'service, ms', 'direct, ms', 'ratio'],
      rows,
    };
  } finally {
    await client.end();
    await postgres.stop();
    await cluster.stop();
    await rm(state, { recursive: true, force: true });
  }
}

async function measure(
  service: Awaited<ReturnType<typeof startLocalService>>,
  { title, table, count }: Subject,
  condition: Case,
): Promise<string[]> {
  const asset = service.assets.find(({ name }) => table.startsWith(`${name}.`));
  const base = `${service.url}/api/v1/sdk/validity/${asset?.id}`;
  const post = async (path: string, body: unknown) => {
    const headers = {
      Authorization: `Bearer ${service.keys.readWrite}`,
      'Content-Type': 'application/json',
    };
    const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as { data: { uuid: string; status: string } };
  };
  const { data } = await post('', { table_path: table, ...condition.rule });
  const [checks, direct]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const start = performance.now();
    const checked = await post(`/${data.uuid}/check`, { sample_limit: 0 });
    const between = performance.now();
    await count(condition);
    if (checked.data.status === 'error') throw new Error(JSON.stringify(checked));
    // The first round warms the caches.
    if (round === 0) continue;
    checks.push(between - start);
    direct.push(performance.now() - between);
  }
  const [check, sent] = [median(checks), median(direct)];
  return [title, String(condition.rule['rule_type']), check.toFixed(0), sent.toFixed(0), ratio(check, sent)];
}

if (import.meta.main) process.stdout.write(`${render(await run())}\n`);
