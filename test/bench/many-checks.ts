/**
 * What fifty rules of all types over one large file cost: checked by the local service, written by hand as one query,
 * and as fifty queries.
 * Run with: node test/bench/many-checks.ts
 */
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { DuckDBInstance } from '@duckdb/node-api';

import { type CreateValidityRule, DataQualityClient } from '../../src/index.ts';
import { startLocalService } from '../../src/local/index.ts';
import { benchFile, runNode } from './process.ts';
import { median, ratio, render, type Table } from './table.ts';

const rows = 10_000_000;

/** A rule, and the condition of its valid rows as one would write it by hand, over the types that DuckDB finds. */
interface Case {
  readonly rule: Omit<CreateValidityRule, 'table_path'>;
  readonly valid?: string;
  /** For UNIQUE: counted over the whole column. */
  readonly unique?: string;
}

const columns = ['id', 'email', 'amount', 'status', 'country', 'created', 'digest', 'score'];

/** Fifty rules; about every sixth finds invalid rows. */
const cases: readonly Case[] = [
  ...columns.map((column): Case => ({
    rule: { rule_type: 'NOT_NULL', column_name: column },
    valid: `${column} IS NOT NULL`,
  })),
  ...[
    ['email', '^[^@ ]+@[a-z]+[.][a-z]+$'],
    ['email', '^user'],
    ['email', '[.]org$'],
    ['status', '^[a-z]+$'],
    ['status', '^(new|paid|sent|done)$'],
    ['country', '^[A-Z]{2}$'],
    ['country', '^[^X]'],
    ['digest', '^[0-9a-f]{32}$'],
    ['digest', '^[0-9a-e]'],
    ['digest', '^(?:[0-9a-f]{8}){4}$'],
  ].map(([column = '', pattern = '']): Case => ({
    rule: { rule_type: 'REGEX', column_name: column, rule_config: { pattern } },
    valid: `regexp_matches(${column}, '${pattern}')`,
  })),
  ...[
    ['id', 0, rows],
    ['id', 5, rows],
    ['amount', 0, 1000],
    ['amount', 1, 999],
    ['amount', -10, 5000],
    ['score', -1, 1],
    ['score', 0, 1],
    ['score', 0.000_001, 1],
    ['id', -1, 2 * rows],
    ['amount', 0, 999.98],
  ].map(([column = '', min = 0, max = 0]): Case => ({
    rule: {
      rule_type: 'RANGE',
      column_name: String(column),
      rule_config: { min: Number(min), max: Number(max) },
    },
    valid: `${column} BETWEEN ${min} AND ${max}`,
  })),
  ...[
    ['status', 'new', 'paid', 'sent', 'done'],
    ['status', 'new', 'paid', 'sent', 'done', 'lost'],
    ['country', 'DE', 'FR', 'ES', 'IT', 'PT', 'AT', 'CH', 'XX'],
    ['country', 'DE', 'FR', 'ES', 'IT', 'PT', 'AT', 'CH'],
    ['status', 'paid', 'new', 'done', 'sent', 'kept', 'gone'],
    ['country', 'XX', 'CH', 'AT', 'PT', 'IT', 'ES', 'FR', 'DE', 'UK'],
    ['status', 'a', 'new', 'b', 'paid', 'c', 'sent', 'd', 'done'],
    ['country', 'DE', 'FR', 'ES', 'IT', 'PT', 'AT', 'CH', 'XX', 'PL'],
  ].map(([column = '', ...values]): Case => ({
    rule: { rule_type: 'ENUM', column_name: column, rule_config: { allowed_values: values } },
    valid: `${column} IN (${values.map((value) => `'${value}'`).join(', ')})`,
  })),
  ...['YYYY-MM-DD', '%Y-%m-%d', 'YYYY-M-D', '%Y-%-m-%-d', 'YYYY-MM-D', 'YYYY-M-DD'].map((format): Case => ({
    rule: { rule_type: 'DATE_FORMAT', column_name: 'created', rule_config: { format } },
    valid: 'created::DATE IS NOT NULL',
  })),
  ...[
    'id >= 0',
    'amount >= 0 AND score <= 1',
    "length(email) > 5 OR status = 'new'",
    'length(digest) = 32',
    'amount * 2 < 2000',
    "country <> 'XX' OR amount > 1",
  ].map((expression): Case => ({
    rule: { rule_type: 'CUSTOM_SQL', rule_config: { sql_expression: expression } },
    valid: expression,
  })),
  ...['id', 'email'].map((column): Case => ({
    rule: { rule_type: 'UNIQUE', column_name: column },
    unique: column,
  })),
];

/** What one run of all rules needed: by the clock, and of the processors, in ms. */
interface Time {
  readonly clock: number;
  readonly processors: number;
}

/** What a contestant needed, in ms and bytes. */
interface Cost {
  readonly cold: Time;
  readonly warm: Time;
  /** Once the service has made its columnar copy, if it makes one. */
  readonly settled: Time;
  readonly memory: number;
  /** Of each rule, to see that all count the same. */
  readonly invalid: readonly number[];
}

const count = (valid: string): string => `count(*) - count(*) FILTER (WHERE ${valid})`;
const repeated = (column: string, source: string): string =>
  `(SELECT coalesce(sum(n) FILTER (WHERE n > 1), 0) FROM (SELECT count(*) AS n FROM ${source} GROUP BY ${column}))`;

/** Each contestant checks all rules of a file three times. */
const contestants: Readonly<Record<string, (file: string) => Promise<Cost>>> = {
  'one query': async (file) =>
    direct(file, (source) => [
      `SELECT ${cases.map(({ valid, unique }) => (unique === undefined ? count(valid ?? '') : repeated(unique, source))).join(', ')} FROM ${source}`,
    ]),
  'fifty queries': async (file) =>
    direct(file, (source) =>
      cases.map(({ valid, unique }) =>
        unique === undefined
          ? `SELECT ${count(valid ?? '')} FROM ${source}`
          : `SELECT ${repeated(unique, source)}`,
      ),
    ),
  'service, all at once': async (file) => serviced(file, cases.length),
  'service, 8 at a time': async (file) => serviced(file, 8),
};

async function direct(file: string, queriesOf: (source: string) => readonly string[]): Promise<Cost> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const source = `${file.endsWith('.csv') ? 'read_csv' : 'read_parquet'}('${file}')`;
  return thrice(async () => {
    const found: number[] = [];
    for (const query of queriesOf(source)) {
      const reader = await connection.runAndReadAll(query);
      found.push(...(reader.getRows()[0] ?? []).map(Number));
    }
    return found;
  });
}

async function serviced(file: string, concurrency: number): Promise<Cost> {
  const folder = join(file, '..');
  const state = await mkdtemp(join(tmpdir(), 'many-checks-state-'));
  try {
    await using service = await startLocalService({ data: folder, state });
    const client = new DataQualityClient({
      baseUrl: service.url,
      apiKey: service.keys.readWrite,
      rateLimit: false,
    });
    const asset = service.assets[0]?.id ?? '';
    const table = `${service.assets[0]?.name}.main.t`;
    const rules = await Promise.all(
      cases.map(async ({ rule }) =>
        client.validity.create(asset, { ...rule, table_path: table } as CreateValidityRule),
      ),
    );
    const check = async () => {
      const invalid = new Map<string, number>();
      for await (const outcome of client.validity.checkMany(asset, rules, { concurrency })) {
        if ('error' in outcome) throw outcome.error;
        const { status, invalid_count, error_message } = outcome.result;
        if (status === 'error') throw new Error(error_message ?? undefined);
        invalid.set(outcome.rule.uuid, invalid_count ?? -1);
      }
      return rules.map(({ uuid }) => invalid.get(uuid) ?? -1);
    };
    const settle = async () => copyIn(join(state, 'copies'), check);
    return await thrice(check, file.endsWith('.csv') ? settle : undefined);
  } finally {
    await rm(state, { recursive: true, force: true });
  }
}

async function thrice(check: () => Promise<readonly number[]>, settle = async () => {}): Promise<Cost> {
  let invalid: readonly number[] = [];
  const timed = async (): Promise<Time> => {
    const [start, processors] = [performance.now(), await processorTime()];
    invalid = await check();
    return { clock: performance.now() - start, processors: (await processorTime()) - processors };
  };
  const [cold, warm] = [await timed(), await timed()];
  await settle();
  const settled = await timed();
  return { cold, warm, settled, memory: await peakMemory(), invalid };
}

/**
 * Checks again and again until the service has a copy of the file: it begins one for a file that is read again ten
 * seconds after its first reading, and makes it beside its other work.
 */
async function copyIn(folder: string, check: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; attempt < 120; attempt += 1) {
    const found = await readdir(folder).catch((): string[] => []);
    if (found.some((name) => name.endsWith('.parquet'))) return;
    await check();
    await setTimeout(3000);
  }
  throw new Error('the service has made no copy of the file');
}

/** Milliseconds that this process, those it started and those that have ended took of the processors. */
async function processorTime(): Promise<number> {
  let ticks = 0;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name before the closing bracket may contain anything.
    const fields = line
      .slice(line.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const isOwn = Number(pid) === process.pid;
    if (!isOwn && fields[1] !== process.pid) continue;
    // User and system; of this one also those of the processes that have ended.
    ticks += fields.slice(11, isOwn ? 15 : 13).reduce((sum, value) => sum + value, 0);
  }
  return ticks * 10;
}

/** The sum of the largest memory of this process and of those it started. */
async function peakMemory(): Promise<number> {
  const statuses = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')),
  );
  const own = statuses.filter(
    (status) => status.includes(`\nPid:\t${process.pid}\n`) || status.includes(`\nPPid:\t${process.pid}\n`),
  );
  return own.reduce((sum, status) => sum + 1024 * Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0), 0);
}

async function generate(folder: string, shorter: number): Promise<Readonly<Record<string, string>>> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const files = { csv: join(folder, 'csv', 't.csv'), parquet: join(folder, 'parquet', 't.parquet') };
  await connection.run(`
    CREATE VIEW t AS SELECT range AS id, 'user' || (hash(range) % ${rows}) || '@example.' || (CASE WHEN range % 1000000 = 7 THEN 'com' ELSE 'org' END) AS email,
      (hash(range + 1) % 100000) / 100 AS amount, ['new', 'paid', 'sent', 'done'][1 + range % 4] AS status,
      CASE WHEN range % 3000000 = 11 THEN 'XX' ELSE ['DE', 'FR', 'ES', 'IT', 'PT', 'AT', 'CH'][1 + (hash(range + 2) % 7)::INTEGER] END AS country,
      (DATE '2020-01-01' + (range % 2000)::INTEGER)::VARCHAR AS created, md5(range::VARCHAR) AS digest,
      (hash(range + 3) % 1000000) / 1e6 AS score
    FROM range(${rows / shorter})`);
  await mkdir(join(folder, 'csv'));
  await mkdir(join(folder, 'parquet'));
  await connection.run(`COPY t TO '${files.csv}' (HEADER)`);
  await connection.run(`COPY t TO '${files.parquet}'`);
  return files;
}

/** Measures every contestant on both files. */
export async function run(rounds = 3, shorter = 1): Promise<Table> {
  const folder = await mkdtemp(join(tmpdir(), 'many-checks-'));
  const table: string[][] = [];
  try {
    for (const [kind, file] of Object.entries(await generate(folder, shorter))) {
      const size = `${Math.round((await stat(file)).size / 1e6)} MB`;
      const costs = new Map<string, Cost[]>();
      for (let round = 0; round < rounds; round += 1) {
        for (const name of Object.keys(contestants)) {
          const output = await runNode([benchFile('many-checks.ts'), name, file]);
          costs.set(name, [...(costs.get(name) ?? []), JSON.parse(output) as Cost]);
        }
      }
      const [anchor = []] = costs.values();
      const phases = ['cold', 'warm', 'settled'] as const;
      const clock = (phase: (typeof phases)[number], all: readonly Cost[]) =>
        median(all.map((it) => it[phase].clock));
      const processors = (phase: (typeof phases)[number], all: readonly Cost[]) =>
        median(all.map((it) => it[phase].processors));
      const memory = (all: readonly Cost[]) => median(all.map((it) => it.memory));
      for (const [name, all] of costs) {
        const differing = cases.findIndex((_, at) => all[0]?.invalid[at] !== anchor[0]?.invalid[at]);
        if (differing >= 0) throw new Error(`${name} counts ${JSON.stringify(cases[differing])} otherwise`);
        table.push([
          `${kind}, ${size}: ${name}`,
          ...phases.flatMap((phase) => [
            (clock(phase, all) / 1000).toFixed(1),
            ratio(clock(phase, all), clock(phase, anchor)),
            ratio(processors(phase, all), processors(phase, anchor)),
          ]),
          String(Math.round(memory(all) / 1e6)),
          ratio(memory(all), memory(anchor)),
        ]);
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return {
    title: `${cases.length} rules of all types over ${(rows / shorter).toLocaleString('en')} rows`,
    note: `Cold: first time in a new process; warm: again; settled: once more, when the service has its columnar copy of a csv. After each time its ratio, and that of the time of the processors. Median of ${rounds} rounds; memory: the sum of the peaks of all processes. The service also samples ten rows of each rule that fails. To reach: at most 1.3 × one query, at most 1.1 × its memory + 200 MB.`,
    columns: [
      '',
      ...['cold', 'warm', 'settled'].flatMap((phase) => [`${phase}, s`, 'ratio', 'processors']),
      'peak memory, MB',
      'ratio',
    ],
    rows: table,
  };
}

if (import.meta.main) {
  const [name, file] = process.argv.slice(2);
  const contestant = contestants[name ?? ''];
  if (contestant !== undefined && file !== undefined) console.log(JSON.stringify(await contestant(file)));
  else console.log(render(await run(Number(name ?? 3), Number(file ?? 1))));
}
