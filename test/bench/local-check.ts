/**
 * What a check of the local service costs over the same SQL run directly in DuckDB, on 3,000,000 rows.
 * Run with: node test/bench/local-check.ts
 */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { DuckDBInstance } from '@duckdb/node-api';

import { startLocalService } from '../../src/local/index.ts';
import { median, render, type Table } from './table.ts';

const rounds = 15;
const flights = fileURLToPath(
  new URL('../../node_modules/vega-datasets/data/flights-3m.parquet', import.meta.url),
);

const cases = [
  {
    rule: { rule_type: 'NOT_NULL', column_name: 'delay' },
    sql: 'SELECT count(*), count(*) FILTER (WHERE delay IS NULL) FROM flights',
  },
  {
    rule: { rule_type: 'RANGE', column_name: 'delay', rule_config: { min: -60, max: 400 } },
    sql: 'SELECT count(*), count(*) FILTER (WHERE (delay BETWEEN -60 AND 400) IS NOT TRUE) FROM flights',
  },
  {
    rule: { rule_type: 'REGEX', column_name: 'origin', rule_config: { pattern: '^[A-Z]{3}$' } },
    sql: "SELECT count(*), count(*) FILTER (WHERE regexp_matches(origin, '^[A-Z]{3}$') IS NOT TRUE) FROM flights",
  },
  {
    rule: {
      rule_type: 'ENUM',
      column_name: 'origin',
      rule_config: { allowed_values: ['LAS', 'ATL', 'MCI'] },
    },
    sql: "SELECT count(*), count(*) FILTER (WHERE (origin IN ('LAS', 'ATL', 'MCI')) IS NOT TRUE) FROM flights",
  },
  {
    rule: { rule_type: 'CUSTOM_SQL', rule_config: { sql_expression: 'delay < distance' } },
    sql: 'SELECT count(*), count(*) FILTER (WHERE (delay < distance) IS NOT TRUE) FROM flights',
  },
  {
    rule: { rule_type: 'UNIQUE', column_name: 'date' },
    sql: 'SELECT sum(n), sum(n) FILTER (WHERE n > 1) FROM (SELECT count(*) AS n FROM flights GROUP BY date)',
  },
] as const;

/** Measures every kind of check, with and without samples. */
export async function run(): Promise<Table> {
  const rows: string[][] = [];
  const data = await mkdtemp(join(tmpdir(), 'local-check-'));
  try {
    await symlink(flights, join(data, 'flights.parquet'));
    await using service = await startLocalService({ data });
    const [asset] = service.assets;
    const base = `${service.url}/api/v1/sdk/validity/${asset?.id}`;
    const post = async (path: string, body: unknown) => {
      const headers = {
        Authorization: `Bearer ${service.keys.readWrite}`,
        'Content-Type': 'application/json',
      };
      const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as { data: { uuid: string; invalid_count: number } };
    };
    const direct = await (await DuckDBInstance.create(':memory:')).connect();
    await direct.run(`CREATE VIEW flights AS FROM read_parquet('${flights}')`);

    for (const { rule, sql } of cases) {
      const created = await post('', { ...rule, table_path: `${asset?.name}.main.flights` });
      const check = async (sampleLimit: number) =>
        post(`/${created.data.uuid}/check`, { sample_limit: sampleLimit });
      const times = { direct: [] as number[], sampled: [] as number[], counted: [] as number[] };
      const counted = await check(10);
      await direct.runAndReadAll(sql);
      for (let round = 0; round < rounds; round += 1) {
        times.direct.push(await timed(() => direct.runAndReadAll(sql)));
        times.sampled.push(await timed(() => check(10)));
        times.counted.push(await timed(() => check(0)));
      }
      const [base_, sampled, plain] = [median(times.direct), median(times.sampled), median(times.counted)];
      rows.push([
        rule.rule_type,
        String(counted.data.invalid_count),
        base_.toFixed(1),
        sampled.toFixed(1),
        (sampled / base_).toFixed(2),
        (plain / base_).toFixed(2),
      ]);
    }
    direct.closeSync();
  } finally {
    await rm(data, { recursive: true });
  }
  return {
    title: 'Checks of 3,000,000 rows by the local service',
    note: `By the clock, over HTTP; median of ${rounds} rounds. To reach: at most 1.3 × the same SQL run directly in DuckDB.`,
    columns: ['', 'invalid rows', 'direct, ms', 'service, ms', 'ratio, 10 samples', 'ratio, no sample'],
    rows,
  };
}

async function timed(task: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

if (import.meta.main) console.log(render(await run()));
