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
import { median, ratio, render, type Table } from './table.ts';

const rounds = 15;
const flights = fileURLToPath(
  new URL('../../node_modules/vega-datasets/data/flights-3m.parquet', import.meta.url),
);

interface Case {
  readonly rule: {
    readonly rule_type: string;
    readonly column_name?: string;
    readonly rule_config?: unknown;
  };
  /** Default: counts all rows and the invalid ones. */
  readonly count?: string;
  readonly invalid: string;
}

/** What each rule counts, and the condition of its invalid rows as one would write it by hand. */
const cases: readonly Case[] = [
  {
    rule: { rule_type: 'NOT_NULL', column_name: 'delay' },
    invalid: 'delay IS NULL',
  },
  {
    rule: { rule_type: 'RANGE', column_name: 'delay', rule_config: { min: -60, max: 400 } },
    invalid: '(delay BETWEEN -60 AND 400) IS NOT TRUE',
  },
  {
    rule: { rule_type: 'REGEX', column_name: 'origin', rule_config: { pattern: '^[A-Z]{3}$' } },
    invalid: "regexp_matches(origin, '^[A-Z]{3}$') IS NOT TRUE",
  },
  {
    rule: {
      rule_type: 'ENUM',
      column_name: 'origin',
      rule_config: { allowed_values: ['LAS', 'ATL', 'MCI'] },
    },
    invalid: "(origin IN ('LAS', 'ATL', 'MCI')) IS NOT TRUE",
  },
  {
    rule: { rule_type: 'CUSTOM_SQL', rule_config: { sql_expression: 'delay < distance' } },
    invalid: '(delay < distance) IS NOT TRUE',
  },
  {
    rule: { rule_type: 'UNIQUE', column_name: 'date' },
    count:
      'SELECT sum(n), sum(n) FILTER (WHERE n > 1) FROM (SELECT count(*) AS n FROM flights GROUP BY date)',
    invalid: 'date IN (SELECT date FROM flights GROUP BY date HAVING count(*) > 1)',
  },
];

/** Measures every kind of check, with and without samples. */
export async function run(): Promise<Table> {
  const rows: string[][] = [];
  const data = await mkdtemp(join(tmpdir(), 'local-check-'));
  try {
    await symlink(flights, join(data, 'flights.parquet'));
    await using service = await startLocalService({ data, state: `${data}.state` });
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
    await direct.run(`CREATE VIEW flights AS SELECT *, file_row_number FROM read_parquet('${flights}')`);

    for (const {
      rule,
      invalid,
      count = `SELECT count(*), count(*) FILTER (WHERE ${invalid}) FROM flights`,
    } of cases) {
      const value = rule.column_name ?? '*';
      const sample = `SELECT file_row_number, ${value} FROM flights WHERE ${invalid} ORDER BY 1 LIMIT 10`;
      const created = await post('', { ...rule, table_path: `${asset?.name}.main.flights` });
      const check = async (sampleLimit: number) =>
        post(`/${created.data.uuid}/check`, { sample_limit: sampleLimit });
      const sampled = async () => {
        await direct.runAndReadAll(count);
        await direct.runAndReadAll(sample);
      };
      const contestants = [() => direct.runAndReadAll(count), () => check(0), sampled, () => check(10)];
      const times = contestants.map((): number[] => []);
      const found = await check(10);
      for (let round = -1; round < rounds; round += 1) {
        for (const [at, contest] of contestants.entries()) {
          const time = await timed(contest);
          // The first round warms up.
          if (round >= 0) times[at]?.push(time);
        }
      }
      const [counted = 0, served = 0, sampledCount = 0, servedSamples = 0] = times.map(median);
      rows.push([
        rule.rule_type,
        String(found.data.invalid_count),
        counted.toFixed(1),
        served.toFixed(1),
        ratio(served, counted),
        sampledCount.toFixed(1),
        servedSamples.toFixed(1),
        ratio(servedSamples, sampledCount),
      ]);
    }
    direct.closeSync();
  } finally {
    await rm(data, { recursive: true });
  }
  return {
    title: 'Checks of 3,000,000 rows by the local service',
    note: `By the clock, over HTTP; median of ${rounds} rounds. To reach: at most 1.3 × the same SQL run directly in DuckDB.`,
    columns: [
      '',
      'invalid rows',
      'count: direct, ms',
      'service',
      'ratio',
      'with 10 samples: direct, ms',
      'service',
      'ratio',
    ],
    rows,
  };
}

async function timed(task: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

if (import.meta.main) console.log(render(await run()));
