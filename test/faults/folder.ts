import { spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { DuckDBInstance } from '@duckdb/node-api';

import { longestReason } from '../../src/engines/limits.ts';
import type { Instrument, Played } from './instrument.ts';
import type { Random } from './random.ts';
import { type ServedProcess, startServedProcess } from './served-process.ts';

/** What a file outside of the data folder holds; no response may have it. */
const secret = 'tops3cret';

/** Files that somebody else has put into the data folder: each gets a result, or an error that a check explains. */
export const folder: Instrument = {
  concurrency: 2,
  start: async () => {
    const served = await startServedProcess({ 'a.csv': 'id,b\n1,2\n' });
    const parquet = await makeParquet(dirname(served.folder));
    await writeFile(join(dirname(served.folder), 'secret.csv'), `id\n${secret}\n`);
    return {
      play: async (index, random) => play(served, parquet, index, random),
      end: async () => served.end(),
    };
  },
};

async function makeParquet(parent: string): Promise<Buffer> {
  const path = join(parent, 'whole.parquet');
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(
    `COPY (SELECT i AS id, 'v' || i AS b, [i, NULL] AS c, {'x': i} AS d, DATE '2024-01-01' AS e FROM range(500) AS t(i))
     TO '${path}' (FORMAT parquet)`,
  );
  connection.closeSync();
  return readFile(path);
}

/** A hostile file: where it lies in the data folder, and how it gets there. */
interface Hostile {
  readonly name: string;
  readonly put: (path: string) => Promise<unknown> | void;
}

function content(name: string, bytes: string | Uint8Array): Hostile {
  return { name, put: async (path) => writeFile(path, bytes) };
}

const rows = Array.from({ length: 300 }, (_, id) => `${id},"b ${id}"`).join('\n');

const kinds: Readonly<Record<string, (name: string, random: Random, parquet: Buffer) => Hostile>> = {
  'parquet flip': (name, random, parquet) => {
    const bytes = Buffer.from(parquet);
    // The end, where the lengths and the schema are, is hit as often as all the rest.
    for (let flips = 1 + random.below(4); flips > 0; flips -= 1) {
      const at = random.oneIn(2) ? random.below(bytes.byteLength) : bytes.byteLength - 1 - random.below(600);
      bytes[at] = random.below(256);
    }
    return content(`${name}.parquet`, bytes);
  },
  'parquet cut': (name, random, parquet) =>
    content(`${name}.parquet`, parquet.subarray(0, random.below(parquet.byteLength))),
  'deep JSON': (name, random) => {
    const levels = 1 + random.below(60_000);
    const [open, close] = random.pick([
      ['[', ']'],
      ['{"a":', '}'],
    ] as const);
    const value = `${open.repeat(levels)}1${close.repeat(levels)}`;
    const isArray = random.oneIn(2);
    return content(
      `${name}.${isArray ? 'json' : 'ndjson'}`,
      isArray ? `[{"id":${value}}]` : `{"id":${value}}\n`,
    );
  },
  'cut gzip': (name, random) => {
    const bytes = gzipSync(`id,b\n${rows}\n`);
    return content(`${name}.csv.gz`, bytes.subarray(0, random.below(bytes.byteLength)));
  },
  'changed gzip': (name, random) => {
    const bytes = gzipSync(`id,b\n${rows}\n`);
    bytes[random.below(bytes.byteLength)] = random.below(256);
    return content(`${name}.csv.gz`, bytes);
  },
  'csv garbage': (name, random) => {
    const text = `id,b\n${rows}`;
    const at = random.below(text.length);
    const put = random.pick(['"', '\0', '\r', ',,,,', '\ufeff', '"""', '\u001b[2J', 'x'.repeat(100_000)]);
    return content(`${name}.csv`, text.slice(0, at) + put + text.slice(at));
  },
  bytes: (name, random) =>
    content(
      `${name}.${random.pick(['csv', 'tsv', 'json', 'ndjson', 'parquet', 'csv.gz'])}`,
      random.bytes(random.below(900)),
    ),
  'JSON garbage': (name, random) =>
    content(
      `${name}.json`,
      random.pick([
        '',
        '[',
        '[]',
        '[1,"a",{"id":1}]',
        'null',
        '{"id":1e999}',
        '[{"id":1,"id":2,"ID":3}]',
        '[{"":1}]',
        '[{"id":"\\ud800"}]',
      ]),
    ),
  'odd name': (name, random) =>
    content(
      `${random.pick(["'; DROP TABLE x; --", '*', '?', '[a-z]', '{a,b}', '$1', '%s', '\u202e', '\u001b[2J', '😀', '"', '\\', '~', '..x', 'a\nb'])}${name}.csv`,
      'id\n1\n2\n',
    ),
  'hive folder': (name, random) =>
    content(`${random.pick(['year=2024', 'id=7', '=', "a='b'"])}/${name}.csv`, 'id\n1\n'),
  'many columns': (name, random) => {
    const count = random.below(3000);
    return content(
      `${name}.csv`,
      `${['id', ...Array.from({ length: count }, (_, at) => `c${at}`)].join(',')}\n`,
    );
  },
  link: (name, random) => ({
    name: `${name}.csv`,
    put: async (path) =>
      symlink(
        random.pick([
          '../secret.csv',
          '/etc/passwd',
          '/dev/zero',
          path,
          'a.csv',
          '/proc/self/environ',
          'nowhere',
        ]),
        path,
      ),
  }),
  pipe: (name) => ({ name: `${name}.csv`, put: (path) => void spawnSync('mkfifo', [path]) }),
  'folder in place of a file': (name) => ({ name: `${name}.csv`, put: async (path) => mkdir(path) }),
  'dq.json': (_, random) =>
    content(
      'dq.json',
      random.pick(['{', '[]', '{"destinations":[{"name":"x","url":"http://127.0.0.1:1/"}]}']),
    ),
};

const names = Object.keys(kinds);

async function play(served: ServedProcess, parquet: Buffer, index: number, random: Random): Promise<Played> {
  const kind = names[index % names.length] as string;
  const { name, put } = kinds[kind]?.(`t${index}`, random, parquet) ?? content('', '');
  const path = join(served.folder, name);
  await mkdir(dirname(path), { recursive: true });
  await put(path);
  const problems: string[] = [];
  try {
    const inFolder = name.includes('/') ? name.slice(0, name.indexOf('/')) : 'main';
    const table = `shop.${inFolder}.${basename(name).replace(/\.(csv|tsv|json|ndjson|parquet)(\.gz)?$/, '')}`;
    problems.push(...(random.oneIn(3) ? await capture(served, table) : await check(served, table, random)));
    problems.push(...(await served.problems()));
  } finally {
    await rm(path, { recursive: true, force: true });
  }
  return { kind, problems: problems.map((problem) => `${JSON.stringify(name)}: ${problem}`) };
}

const rules = [
  { rule_type: 'NOT_NULL', column_name: 'id' },
  { rule_type: 'UNIQUE', column_name: 'id' },
  { rule_type: 'RANGE', column_name: 'id', rule_config: { min: 0, max: 100 } },
  { rule_type: 'REGEX', column_name: 'b', rule_config: { pattern: '^[a-z]' } },
  { rule_type: 'CUSTOM_SQL', rule_config: { sql_expression: 'id IS NOT NULL' } },
];

async function check(served: ServedProcess, table: string, random: Random): Promise<string[]> {
  const path = `/api/v1/sdk/validity/${served.assetId}`;
  const created = await served.call('POST', path, { table_path: table, ...random.pick(rules) });
  if (created.status >= 400 && created.status < 500) return judge(served, created.text);
  if (created.status !== 200) return [`creating a rule: ${created.status} ${created.text}`];
  const rule = `${path}/${String(created.data['uuid'])}`;
  const { status, text, data } = await served.call('POST', `${rule}/check`, { sample_limit: 20 });
  await served.call('DELETE', rule);
  if (status !== 200) return [`the check: ${status} ${text.slice(0, 300)}`];
  const known = ['pass', 'fail', 'error'].includes(String(data['status']));
  return [
    ...(known ? [] : [`a check without a result: ${text.slice(0, 300)}`]),
    ...judge(served, text, data['error_message']),
  ];
}

async function capture(served: ServedProcess, table: string): Promise<string[]> {
  const path = `/api/v1/sdk/metrics/${served.assetId}`;
  const created = await served.call('POST', path, {
    metric_type: 'null_percent',
    table_path: table,
    column_name: 'id',
  });
  if (created.status >= 400 && created.status < 500) return judge(served, created.text);
  if (created.status !== 200) return [`creating a metric: ${created.status} ${created.text}`];
  const metric = `${path}/${String(created.data['id'])}`;
  const { status, text } = await served.call('POST', `${metric}/capture`);
  await served.call('DELETE', metric);
  return status === 200 ? judge(served, text) : [`the capture: ${status} ${text.slice(0, 300)}`];
}

/** What a response must not show. */
function judge(served: ServedProcess, text: string, reason?: unknown): string[] {
  const problems: string[] = [];
  if (text.includes(secret) || text.includes('root:x:0'))
    problems.push('a response has what lies outside the folder');
  if (text.includes(dirname(served.folder)))
    problems.push(`a response has a path of this machine: ${text.slice(0, 600)}`);
  if (typeof reason === 'string' && reason.length > longestReason) problems.push(`a long reason: ${reason}`);
  return problems;
}
