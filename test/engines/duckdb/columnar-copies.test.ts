import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import type { TableFile } from '../../../src/engines/duckdb/catalog.ts';
import { ColumnarCopies, type ColumnarCopiesOptions } from '../../../src/engines/duckdb/columnar-copies.ts';
import { Engine } from '../../../src/engines/duckdb/engine.ts';
import { createEvaluation } from '../../../src/engines/duckdb/evaluation.ts';
import { TableFinder } from '../../../src/engines/duckdb/tables.ts';
import { countInvalid } from '../../../src/engines/duckdb/validity.ts';
import type { RuleRecord } from '../../../src/service/store.ts';
import { dataFolder } from '../../support/served.ts';

const reading = "read_csv('t.csv')";
const hour = 3_600_000;

/** Copies of one file, written by something else than DuckDB: each holds the statement it was written by. */
async function createCopies(
  options: Partial<ColumnarCopiesOptions> = {},
  during: (part: string) => Promise<void> = async () => undefined,
) {
  const data = await dataFolder({ 't.csv': 'a\n1\n' });
  onTestFinished(async () => data[Symbol.asyncDispose]());
  const folder = join(data.parent, 'copies');
  const statements: string[] = [];
  const copies = new ColumnarCopies(
    { folder, smallest: 0, again: 0, settled: 0, ...options },
    async (_, sql) => {
      statements.push(sql);
      const [, part = ''] = /TO '([^']+)'/.exec(sql) ?? [];
      await writeFile(part, 'a copy');
      await during(part);
    },
  );
  const file = { path: join(data.path, 't.csv'), tablePath: 'shop.main.t' } as TableFile;
  const find = async (of = reading) => {
    const copy = await copies.find(file, of);
    await copies.idle();
    return copy;
  };
  const kept = async () => (existsSync(folder) ? readdir(folder) : []);
  return { data, folder, find, kept, statements };
}

/** Makes a file look as if nobody had used it for some time. */
async function age(path: string, ms: number): Promise<void> {
  const then = (Date.now() - ms) / 1000;
  await utimes(path, then, then);
}

describe('a copy of a text file', () => {
  test('is made when the file is read again, and found from then on', async () => {
    const { find, kept, folder, statements } = await createCopies();
    expect(await find()).toBeUndefined();
    expect(statements).toEqual([]);
    expect(await find()).toBeUndefined();
    const [name = ''] = await kept();
    expect(await find()).toBe(join(folder, name));
    expect(await find()).toBe(join(folder, name));
    expect(statements).toEqual([`COPY (FROM ${reading}) TO '${join(folder, name)}.part' (FORMAT parquet)`]);
  });

  test.each([
    ['soon after its first reading', { again: hour }],
    ['of a file that is small', { smallest: 1000 }],
    ['of a file that was written to a moment ago', { settled: hour }],
    ['larger than all copies may be', { most: 3 }],
  ])('is not made %s', async (_, options) => {
    const { find, kept } = await createCopies(options);
    for (let reads = 0; reads < 3; reads += 1) expect(await find()).toBeUndefined();
    expect(await kept()).toEqual([]);
  });

  test('is not used after the file changed', async () => {
    const { find, data } = await createCopies();
    await find();
    await find();
    expect(await find()).toBeDefined();
    await data.write('t.csv', 'a\n2\n');
    expect(await find()).toBeUndefined();
  });

  test('is not used for another reading of the file', async () => {
    const { find } = await createCopies();
    await find();
    await find();
    expect(await find("read_csv('t.csv', delim = ';')")).toBeUndefined();
  });

  test('is not kept if the file changed while it was made', async () => {
    const data: { write?: (name: string, content: string) => Promise<void> } = {};
    const { find, kept, data: folder } = await createCopies({}, async () => data.write?.('t.csv', 'a\n3\n'));
    data.write = folder.write;
    await find();
    await find();
    expect(await kept()).toEqual([]);
  });

  test('is not tried again if it cannot be made, and leaves nothing behind', async () => {
    const { find, kept, statements } = await createCopies({}, async () => {
      throw new Error('the file is malformed');
    });
    for (let reads = 0; reads < 4; reads += 1) expect(await find()).toBeUndefined();
    expect(statements).toHaveLength(1);
    expect(await kept()).toEqual([]);
  });

  test('makes room for itself: what was unused for the longest time goes, what is in use stays', async () => {
    const { find, kept, folder } = await createCopies({ most: 24 });
    await mkdir(folder);
    const others = { 'oldest.parquet': 2 * hour, 'older.parquet': hour, 'used.parquet': 0 };
    for (const [name, unused] of Object.entries(others)) {
      await writeFile(join(folder, name), '10 bytes..');
      await age(join(folder, name), unused);
    }
    await find();
    await find();
    expect((await kept()).filter((name) => name in others)).toEqual(['used.parquet']);
    expect(await kept()).toHaveLength(2);
  });

  test('is deleted after a week without use, as is one that was never finished, and one of an earlier state of its file', async () => {
    const { find, kept, folder, data } = await createCopies();
    await find();
    await find();
    const earlier = basename((await find()) ?? '');
    await age(join(folder, earlier), hour);
    await writeFile(join(folder, 'x.parquet.part'), 'unfinished');
    await age(join(folder, 'x.parquet.part'), hour);
    await writeFile(join(folder, 'forgotten.parquet'), 'a copy');
    await age(join(folder, 'forgotten.parquet'), 8 * 24 * hour);
    await data.write('t.csv', 'a\n2\n3\n');
    await find();
    await find();
    expect(await kept()).toEqual([basename((await find()) ?? '')]);
    expect(await kept()).not.toEqual([earlier]);
  });
});

test('a check reads the copy of its file, and the file itself as soon as that changes', async () => {
  await using folder = await dataFolder({
    'orders.csv': 'id,amount\n1,5\n2,\n',
    'bad.csv': 'id,amount\n1\n',
  });
  const engine = new Engine({
    tempDirectory: join(folder.parent, 'temp'),
    timeout: 20_000,
    copies: { folder: join(folder.parent, 'copies'), smallest: 0, again: 0, settled: 0 },
  });
  const assets = [{ assetId: 'a', catalog: 'shop', path: folder.path }];
  const source = { engine, finder: new TableFinder(engine, assets, ''), folder: folder.path };
  const check = async (table: string) => {
    const rule = { rule_type: 'NOT_NULL', column_name: 'amount', table_path: `shop.main.${table}` };
    const result = await countInvalid(
      source,
      { ...rule, asset_id: 'a', treat_null_as_valid: false } as unknown as RuleRecord,
      10,
    );
    await engine.copies?.idle();
    return result;
  };
  const before = { total_rows: 2, invalid_count: 1, samples: [{ row_id: 1, value: null }] };
  for (let checks = 0; checks < 3; checks += 1) expect(await check('orders')).toEqual(before);
  expect(await readdir(join(folder.parent, 'copies'))).toHaveLength(1);
  await folder.write('orders.csv', 'id,amount\n1,\n2,\n3,4\n');
  expect(await check('orders')).toMatchObject({ total_rows: 3, invalid_count: 2 });
  for (let checks = 0; checks < 3; checks += 1) {
    await expect(check('bad')).rejects.toThrow('line 2 has 1 field instead of 2');
  }
  await engine.close();
});

test.each([
  ['deleted', async (copy: string) => rm(copy)],
  ['damaged', async (copy: string) => writeFile(copy, 'not a parquet')],
])('a check reads the file itself if its copy is %s after it was found', async (_, harm) => {
  await using folder = await dataFolder({ 'orders.csv': 'id,amount\n1,5\n2,\n' });
  const engine = new Engine({
    tempDirectory: join(folder.parent, 'temp'),
    timeout: 20_000,
    copies: { folder: join(folder.parent, 'copies'), smallest: 0, again: 0, settled: 0 },
  });
  onTestFinished(async () => engine.close());
  const assets = [{ assetId: 'a', catalog: 'shop', path: folder.path }];
  const source = { engine, finder: new TableFinder(engine, assets, ''), folder: folder.path };
  const evaluation = createEvaluation(source, new Map(), Date.now);
  const rule = {
    rule_type: 'NOT_NULL',
    column_name: 'amount',
    table_path: 'shop.main.orders',
    asset_id: 'a',
  };
  const check = async () => {
    const result = await evaluation.checkRule(rule as unknown as RuleRecord, 10);
    await engine.copies?.idle();
    return result;
  };
  const expected = { total_rows: 2, invalid_count: 1, samples: [{ row_id: 1, value: null }] };
  for (let checks = 0; checks < 2; checks += 1) expect(await check()).toEqual(expected);
  const { copies } = engine;
  if (copies === undefined) throw new Error('there must be copies');
  const find = copies.find.bind(copies);
  const found = vi.spyOn(copies, 'find').mockImplementationOnce(async (file, text) => {
    const copy = await find(file, text);
    if (copy !== undefined) await harm(copy);
    return copy;
  });
  expect(await check()).toEqual(expected);
  await expect(found.mock.results[0]?.value).resolves.toMatch(/\.parquet$/);
});
