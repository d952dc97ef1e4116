import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { Engine, type EngineLimits } from '../../../src/engines/duckdb/engine.ts';
import { QueryError } from '../../../src/engines/query-error.ts';
import { validateRule } from '../../../src/engines/duckdb/validity.ts';
import { WorkerPool } from '../../../src/engines/duckdb/worker-pool.ts';
import { dataFolder, serve } from '../../support/served.ts';

const execute = promisify(execFile);

/** Runs until it is killed: DuckDB never looks at an interrupt within it. */
const endless = "SELECT levenshtein(repeat('a', 1000000) || id, repeat('b', 1000000)) FROM range(9) AS t(id)";

/** Takes memory that is not counted as buffers. */
const hungry = "SELECT damerau_levenshtein(repeat('a', 100_000), repeat('b', 100_000))";

const mebibyte = 2 ** 20;

/** Processes start and end slowly on a machine that is busy. */
const patience = { timeout: 20_000 };

async function createEngine(
  limits: Partial<EngineLimits> = {},
  files: Readonly<Record<string, string>> = {},
) {
  const folder = await dataFolder(files);
  const engine = new Engine({
    tempDirectory: join(folder.parent, 'temp'),
    timeout: 20_000,
    grace: 50,
    memory: 200 * mebibyte,
    ...limits,
  });
  onTestFinished(async () => {
    await engine.close();
    await folder[Symbol.asyncDispose]();
  });
  return { engine, folder, path: (name: string) => join(folder.path, name) };
}

async function failureOf(query: Promise<unknown>): Promise<unknown> {
  return query.then(
    () => 'it did not fail',
    (error: unknown) => (error instanceof QueryError ? error.message : error),
  );
}

/** The processes that a process has started to run queries in, as Linux lists them. */
async function children(parent = process.pid): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      // One that ends meanwhile is not a child any more.
      const read = async (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
      const [status, command] = await Promise.all([read('status'), read('cmdline')]);
      const isWorker = command.includes('engines/duckdb/worker');
      return isWorker && status.includes(`PPid:\t${parent}\n`) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

/** The one process that runs queries. */
async function onlyChild(): Promise<number> {
  const [pid, ...others] = await children();
  if (pid === undefined || others.length > 0) throw new Error('there must be one process');
  return pid;
}

describe('an engine', () => {
  test('returns rows as plain values, whatever their type', async () => {
    const { engine } = await createEngine();
    const rows = await engine.query(
      [],
      `SELECT 1::BIGINT, 2::DOUBLE ** 70, 'é', true, NULL, DATE '2024-02-29', 1.5::DECIMAL(4, 2), [1, 2], -0.0::DOUBLE
       UNION ALL SELECT 9223372036854775807, 'nan'::DOUBLE, '', false, NULL, DATE '0044-03-15 (BC)', 2, [], 'inf'::DOUBLE`,
    );
    expect(rows).toEqual([
      [1n, 2 ** 70, 'é', true, null, '2024-02-29', '1.50', '[1, 2]', -0],
      [9223372036854775807n, NaN, '', false, null, '0044-03-15 (BC)', '2.00', '[]', Infinity],
    ]);
  });

  test('returns every row of a result that is longer than a chunk', async () => {
    const { engine } = await createEngine();
    const rows = await engine.query([], 'SELECT range::DOUBLE FROM range(10_000)');
    expect(rows.map(([value]) => value)).toEqual(Array.from({ length: 10_000 }, (_, at) => at));
  });

  test('reads the files of each query and no others', async () => {
    const { engine, path } = await createEngine({}, { 'a.csv': 'id\n1\n', 'b.csv': 'id\n2\n' });
    const read = async (allowed: string, wanted: string) =>
      engine.query([path(allowed)], `SELECT id::DOUBLE FROM read_csv('${path(wanted)}')`);
    expect(await read('a.csv', 'a.csv')).toEqual([[1]]);
    expect(await failureOf(read('a.csv', 'b.csv'))).toContain('Permission Error');
    expect(await read('b.csv', 'b.csv')).toEqual([[2]]);
    expect(await failureOf(read('b.csv', 'a.csv'))).toContain('Permission Error');
  });

  test('refuses a result that is larger than 64 MiB', async () => {
    const { engine } = await createEngine({ memory: 1000 * mebibyte });
    const query = engine.query([], "SELECT repeat('x', 10_000_000) FROM range(7)");
    expect(await failureOf(query)).toBe('the result is larger than 67108864 bytes');
    expect(await engine.query([], 'SELECT 1.0::DOUBLE')).toEqual([[1]]);
  });
});

describe('a query that overruns its time', () => {
  test('is interrupted if DuckDB looks at that', async () => {
    const { engine } = await createEngine({ timeout: 200, grace: 20_000 });
    const query = engine.query([], 'SELECT count(*) FROM range(100_000_000_000) WHERE range % 7 = 3');
    expect(await failureOf(query)).toBe('the query took longer than 200 ms');
    // A process that was killed is not replaced before the next query.
    expect(await children()).toHaveLength(1);
  });

  test('is interrupted even if its time is over before it begins', async () => {
    const { engine } = await createEngine({ timeout: 0, grace: 20_000 });
    const query = engine.query([], 'SELECT count(*) FROM range(100_000_000_000) WHERE range % 7 = 3');
    expect(await failureOf(query)).toBe('the query took longer than 0 ms');
    expect(await children()).toHaveLength(1);
  });

  test.each([
    ['compares long texts', endless],
    [
      'nests loops over lists',
      `SELECT ${'list_transform(range(40), x -> list_sum('.repeat(12)}[1]${'))'.repeat(12)}`,
    ],
  ])('is killed if it %s', async (_, sql) => {
    const { engine } = await createEngine({ timeout: 200 });
    // On a busy machine, the first time may be over before the query has begun, and then an interrupt ends it.
    await vi.waitFor(async () => {
      expect(await failureOf(engine.query([], sql))).toBe('the query took longer than 200 ms');
      expect(await children()).toEqual([]);
    }, patience);
    // A busy machine may not give it a processor in its time, either.
    const again = async () => engine.query([], "SELECT 'again'");
    await vi.waitFor(async () => expect(await again()).toEqual([['again']]), patience);
  });

  test('is killed if it reads a pipe that nobody writes to', async () => {
    const { engine, path } = await createEngine({ timeout: 200 });
    await execute('mkfifo', [path('pipe.csv')]);
    const query = engine.query([path('pipe.csv')], `FROM read_csv('${path('pipe.csv')}')`);
    expect(await failureOf(query)).toBe('the query took longer than 200 ms');
  });

  test('does not hinder the query beside it', async () => {
    const { engine, path } = await createEngine({ timeout: 1500 }, { 'a.csv': 'id\n1\n' });
    const files = [path('a.csv')];
    const blocked = failureOf(engine.query(files, endless));
    const beside = await engine.query(files, `SELECT id::DOUBLE FROM read_csv('${path('a.csv')}')`);
    expect(beside).toEqual([[1]]);
    expect(await blocked).toBe('the query took longer than 1500 ms');
  });
});

describe('a query beside one that ends its process', () => {
  test.each([
    ['overruns its time', endless, 1000, /took longer than 1000 ms/],
    ['overruns its memory', hungry, 60_000, /MiB of memory$|Out of Memory/],
  ])('runs again, alone, and has its result: the other one %s', async (_, sql, timeout, reason) => {
    await using folder = await dataFolder();
    const pipe = join(folder.path, 'pipe.csv');
    await execute('mkfifo', [pipe]);
    const pool = new WorkerPool(2, {
      tempDirectory: join(folder.parent, 'temp'),
      buffers: 100 * mebibyte,
      memory: 250 * mebibyte,
    });
    onTestFinished(async () => pool.close());
    // It waits until somebody writes to the pipe.
    const read = `FROM read_csv('${pipe}', auto_detect = false, columns = {id: 'DOUBLE'})`;
    const beside = pool.run([pipe], read, { timeout: 60_000, grace: 50 });
    const ended = pool.run([pipe], sql, { timeout, grace: 50 });
    await vi.waitFor(async () => expect(await children()).toHaveLength(1), patience);
    const first = await onlyChild();
    expect(await ended).toMatchObject({ failure: expect.stringMatching(reason) as string });
    await writeFile(pipe, '7\n');
    expect(await beside).toEqual({ rows: [[7]] });
    expect(await children()).not.toContain(first);
  });
});

describe('a query that overruns its memory', () => {
  test.each([
    ['sorts a long list', 'SELECT len(list_sort(range(300_000_000)))'],
    ['transforms a long list', 'SELECT len(list_transform(range(100_000_000), x -> x::VARCHAR))'],
    ['pads a text', "SELECT length(lpad('x', 2_000_000_000, 'y'))"],
    ['repeats a list', 'SELECT len(repeat([1], 2_000_000_000))'],
    ['compares texts', hungry],
  ])('is killed if it %s', async (_, sql) => {
    const { engine, path } = await createEngine({}, { 'a.csv': 'id\n1\n' });
    expect(await failureOf(engine.query([path('a.csv')], sql))).toMatch(
      /^the query needed more than 406 MiB of memory$|Out of Memory/,
    );
    expect(await engine.query([], "SELECT 'again'")).toEqual([['again']]);
  });
});

describe('a query that crashes DuckDB', () => {
  test('fails alone: the query beside it and those after it succeed', async () => {
    const deep = `[{"id":${'['.repeat(30_000)}${']'.repeat(30_000)}}]`;
    const { engine, path } = await createEngine(
      { memory: 1000 * mebibyte },
      { 'deep.json': deep, 'a.csv': 'id\n1\n' },
    );
    const files = [path('deep.json'), path('a.csv')];
    const read = `SELECT id::DOUBLE FROM read_csv('${path('a.csv')}')`;
    const [crashed, ...others] = await Promise.all([
      failureOf(engine.query(files, `DESCRIBE FROM read_json('${path('deep.json')}', sample_size = -1)`)),
      engine.query(files, read),
      engine.query(files, read),
      engine.query(files, read),
    ]);
    expect(crashed).toBe('the query crashed DuckDB (SIGSEGV)');
    expect(others).toEqual([[[1]], [[1]], [[1]]]);
  });

  test('is an error result of its check, and the service goes on', async () => {
    const deep = `[{"id":${'['.repeat(30_000)}${']'.repeat(30_000)}}]`;
    await using served = await serve({ 'deep.json': deep, 'orders.csv': 'id\n1\n' });
    const rule = { rule_type: 'NOT_NULL', column_name: 'id' };
    expect(await served.check('deep', rule)).toMatchObject({
      status: 'error',
      error_message: 'the query crashed DuckDB (SIGSEGV)',
    });
    expect(await served.check('orders', rule)).toMatchObject({ status: 'pass', total_rows: 1 });
  });

  test('is asked again, once, when somebody else killed its process', async () => {
    const { engine } = await createEngine();
    await engine.query([], 'SELECT 1');
    const first = await onlyChild();
    const query = failureOf(engine.query([], endless));
    process.kill(first, 'SIGKILL');
    await vi.waitFor(async () => expect(await onlyChild()).not.toBe(first), patience);
    process.kill(await onlyChild(), 'SIGKILL');
    expect(await query).toBe('the query crashed DuckDB (SIGKILL)');
    expect(await engine.query([], "SELECT 'again'")).toEqual([['again']]);
  });
});

describe('an expression that is validated', () => {
  test('is refused when it takes too long to parse, while checks are under way', async () => {
    const { engine, path } = await createEngine({ timeout: 1000 }, { 'a.csv': 'id\n1\n' });
    const blocked = [1, 2].map(async () => failureOf(engine.query([path('a.csv')], endless)));
    const expression = `${'/*'.repeat(120_000)}${'*/'.repeat(120_000)} true`;
    const rule = { rule_type: 'CUSTOM_SQL', rule_config: { sql_expression: expression } };
    const problem = await validateRule(engine, rule as unknown as Parameters<typeof validateRule>[1]);
    expect(problem).toEqual({
      field: 'rule_config.sql_expression',
      error: 'the query took longer than 1000 ms',
    });
    const pattern = { rule_type: 'REGEX', rule_config: { pattern: '(' } };
    const refused = await validateRule(engine, pattern as unknown as Parameters<typeof validateRule>[1]);
    expect(refused).toMatchObject({ field: 'rule_config.pattern' });
    await Promise.all(blocked);
  });
});

describe('the processes of an engine', () => {
  test('are one for queries over the same files, another for other files, and end when they have nothing to do', async () => {
    const { engine, path } = await createEngine(
      { idle: 300, timeout: 1500 },
      { 'a.csv': 'id\n1\n', 'b.csv': 'id\n2\n' },
    );
    for (const [names, processes] of [
      [['a.csv', 'a.csv'], 1],
      [['a.csv', 'b.csv'], 2],
    ] as const) {
      const queries = names.map(async (name) => failureOf(engine.query([path(name)], endless)));
      await vi.waitFor(async () => expect(await children()).toHaveLength(processes), patience);
      await Promise.all(queries);
    }
    await engine.query([path('a.csv')], 'SELECT 1');
    await vi.waitFor(async () => expect(await children()).toEqual([]), patience);
    expect(await engine.query([path('a.csv')], "SELECT 'again'")).toEqual([['again']]);
  });

  test('do not end while a query runs, however many have ended at the same time', async () => {
    const { engine, path } = await createEngine({ idle: 1000 }, { 'a.csv': 'a\n1\n' });
    const ask = async (sql: string) => engine.query([path('a.csv')], sql);
    await Promise.all(Array.from({ length: 200 }, async () => ask('SELECT 1')));
    expect(await ask('SELECT sleep_ms(1500) IS NULL')).toHaveLength(1);
  });

  test('are killed when it closes, with what they run', async () => {
    const { engine, folder, path } = await createEngine({}, { 'a.csv': 'id\n1\n', 'b.csv': 'id\n2\n' });
    const names = ['a.csv', 'b.csv', 'a.csv'];
    const queries = names.map(async (name) => engine.query([path(name)], endless));
    const failures = Promise.all(queries.map(failureOf));
    await vi.waitFor(async () => expect(await children()).toHaveLength(2), patience);
    await engine.close();
    for (const failure of await failures) expect(failure).toEqual(new Error('the service is closing'));
    expect(await children()).toEqual([]);
    expect(existsSync(join(folder.parent, 'temp'))).toBe(false);
    expect(await failureOf(engine.query([], 'SELECT 1'))).toEqual(new Error('the service is closing'));
  });

  test('end with the process that started them', async () => {
    await using folder = await dataFolder();
    const script = `
      import { Engine } from '${new URL('../../../src/engines/duckdb/engine.ts', import.meta.url).href}';
      const engine = new Engine({ tempDirectory: process.argv[1], timeout: 60_000 });
      await engine.query([], 'SELECT 1');
      engine.query([], ${JSON.stringify(endless)});
      console.log('it runs');
    `;
    const parent = spawn(
      process.execPath,
      ['--input-type=module', '--eval', script, join(folder.parent, 'temp')],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await once(createInterface({ input: parent.stdout }), 'line');
    const started = await children(parent.pid);
    expect(started).toHaveLength(1);
    parent.kill('SIGKILL');
    for (const pid of started) {
      // One that has ended has no command line, even if nobody has taken note of its end.
      const command = async () => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      await vi.waitFor(async () => expect(await command()).toBe(''), patience);
    }
  });

  test('keep the process that started them alive only while a query runs or they are closed', async () => {
    await using folder = await dataFolder();
    const script = `
      import { Engine } from '${new URL('../../../src/engines/duckdb/engine.ts', import.meta.url).href}';
      const engine = new Engine({ tempDirectory: process.argv[1], timeout: 60_000 });
      console.log(await engine.query([], "SELECT 'a row'"));
      if (process.argv[2] === 'close') {
        await engine.close();
        console.log('closed');
      }
    `;
    const run = async (...last: readonly string[]) =>
      execute(process.execPath, [
        '--input-type=module',
        '--eval',
        script,
        join(folder.parent, 'temp'),
        ...last,
      ]);
    expect((await run()).stdout).toContain('a row');
    expect((await run('close')).stdout).toContain('closed');
  });

  test('know no key of the service, and ignore Ctrl-C', async () => {
    vi.stubEnv('DQ_API_KEY', 'secret');
    const { engine } = await createEngine();
    await engine.query([], 'SELECT 1');
    const pid = await onlyChild();
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
    expect(environment).toContain('PATH=');
    expect(environment).not.toContain('secret');
    process.kill(pid, 'SIGINT');
    await engine.query([], 'SELECT 1');
    expect(await children()).toEqual([pid]);
  });

  test('each have a folder of their own for what does not fit into memory', async () => {
    const { engine, folder, path } = await createEngine({}, { 'a.csv': 'id\n1\n', 'b.csv': 'id\n2\n' });
    const setting = "SELECT current_setting('temp_directory')";
    const names = ['a.csv', 'b.csv'];
    const folders = await Promise.all(names.map(async (name) => engine.query([path(name)], setting)));
    expect(new Set(folders.flat(2))).toEqual(
      new Set(['1', '2'].map((name) => join(folder.parent, 'temp', 'data', name))),
    );
  });
});
