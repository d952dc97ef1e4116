import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { type LocalServiceOptions, startLocalService } from 'data-quality-client/local';
import { describe, expect, test } from 'vitest';

import { losesCommits } from '../../src/server/state-files.ts';
import { kill, start } from '../support/process.ts';
import { dataFolder, serve } from '../support/served.ts';
import { receive } from './receiver.ts';

const rule = { rule_type: 'NOT_NULL', table_path: 'shop.main.a', column_name: 'a' };

async function failureOf(options: LocalServiceOptions): Promise<string> {
  return startLocalService(options).then(
    async (service) => service.close().then(() => 'it started'),
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

/** A state as somebody else may write it: made by the service, then changed. */
async function tamperedState(statements: string) {
  const folder = await dataFolder({ 'a.csv': 'a\n1\n' });
  const state = join(folder.parent, 'state');
  const service = await startLocalService({ data: folder.path, state });
  await service.close();
  const instance = await DuckDBInstance.create(join(state, 'state.duckdb'));
  const connection = await instance.connect();
  await connection.run(statements);
  connection.closeSync();
  instance.closeSync();
  return { folder, state };
}

describe('a state is not trusted', () => {
  test('refuses a state in the data folder, and names where to move it', async () => {
    await using folder = await dataFolder({ 'a.csv': 'a\n1\n', '.data-quality/state.duckdb': 'x' });
    const failure = await failureOf({ data: folder.path });
    expect(failure).toContain(
      `ConfigurationError: The data folder contains a state, ${folder.path}/.data-quality`,
    );
    expect(failure).toMatch(
      /If it is yours, move it to .*data-quality\/shop-[0-9a-f]{16}; if not, delete it/,
    );
  });

  test('a view over another file in place of a table does not run', async () => {
    await using receiver = await receive();
    const outside = await dataFolder({ 'secret.txt': 'PRIVATE KEY' });
    const { folder, state } = await tamperedState(`
      DROP TABLE deliveries;
      CREATE VIEW deliveries AS SELECT 'a' id, 'ops' destination, content payload, 'pending' status, 0 attempts,
        0.0::DOUBLE due_at, NULL::VARCHAR last_error, NULL::DOUBLE finished_at, 0 rowid
      FROM read_text('${outside.path}/secret.txt')`);
    await folder.write('dq.json', JSON.stringify({ destinations: [{ name: 'ops', url: receiver.url }] }));
    expect(await failureOf({ data: folder.path, state, allowDestinations: true })).toContain(
      'it contains the view deliveries',
    );
    expect(receiver.received).toEqual([]);
    await outside[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  test.each([
    ['macro', 'CREATE MACRO nextval(x) AS 1424'],
    ['macro', 'CREATE MACRO duckdb_functions() AS TABLE SELECT 1 AS function_name, true AS internal'],
    ['type', "CREATE TYPE mood AS ENUM ('a')"],
    ['schema', 'CREATE SCHEMA other'],
    ['index', 'CREATE INDEX ids ON rules (lower(uuid))'],
    ['table', 'CREATE TABLE more (a INTEGER)'],
    ['table', "ALTER TABLE rules ALTER uuid SET DEFAULT getvariable('x')"],
    ['table', 'ALTER TABLE results DROP status; ALTER TABLE results ADD COLUMN status VARCHAR'],
    ['sequence', 'CREATE SEQUENCE other_ids'],
    ['sequence', 'DROP SEQUENCE rule_ids; CREATE SEQUENCE rule_ids INCREMENT BY 2'],
  ])('one with a %s that is not ours is refused: %s', async (kind, statements) => {
    const { folder, state } = await tamperedState(statements);
    expect(await failureOf({ data: folder.path, state })).toContain(`it contains the ${kind} `);
    await folder[Symbol.asyncDispose]();
  });

  test('a file of another kind is refused before DuckDB looks for an extension that opens it', async () => {
    await using folder = await dataFolder({ 'a.csv': 'a\n1\n' });
    const state = join(folder.parent, 'state');
    await mkdir(state);
    await writeFile(
      join(state, 'state.duckdb'),
      Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4080)]),
    );
    expect(await failureOf({ data: folder.path, state })).toContain('state.duckdb is not a DuckDB database');
  });
});

describe('a damaged state refuses to start, with the way to restore', () => {
  test('a write-ahead log that is zeroed', { timeout: 60_000 }, async () => {
    await using folder = await dataFolder({ 'a.csv': 'a\n1\n' });
    const state = join(folder.parent, 'state');
    const first = await startLocalService({ data: folder.path, state });
    await first.close();
    const running = await start(folder.path, 0, state);
    const path = `${running.url}/api/v1/sdk/validity/${running.assetId}`;
    const headers = { Authorization: 'Bearer writer', 'Content-Type': 'application/json' };
    for (let count = 0; count < 3; count += 1) {
      await fetch(path, { method: 'POST', headers, body: JSON.stringify(rule) });
    }
    await kill(running);
    const log = join(state, 'state.duckdb.wal');
    const content = await readFile(log);
    expect(losesCommits(content)).toBe(false);
    await writeFile(log, Buffer.alloc(content.length));
    const failure = await failureOf({ data: folder.path, state });
    expect(failure).toContain('state.duckdb.wal is damaged');
    expect(failure).toContain('move the files of last-good in their place');

    // Cut off by a kill at any byte, it goes on; with a length that leads nowhere, it does not.
    const whole = Array.from({ length: 400 }, (_, at) => content.length - at);
    expect(whole.filter((length) => losesCommits(content.subarray(0, length)))).toEqual([]);
    const header = content.indexOf('ffff', 0, 'hex') + 2;
    const leading = Buffer.from(content);
    leading.writeUInt8(0xff, header + 3);
    expect(losesCommits(leading)).toBe(true);

    await writeFile(log, content);
    await using again = await startLocalService({ data: folder.path, state, keys: { readWrite: 'writer' } });
    const listed = await fetch(`${again.url}/api/v1/sdk/validity/${running.assetId}`, { headers });
    expect(await listed.json()).toMatchObject({ pagination: { total: 3 } });
  });

  test('a database with a flipped block; the last good copy brings everything back', async () => {
    const served = await serve({ 'a.csv': 'a\n1\n' });
    const path = `/api/v1/sdk/validity/${served.assetId}`;
    await served.call('POST', path, { ...rule, description: 'x'.repeat(100_000) });
    await served.service.close();
    const { state } = served.service;
    const options = { data: served.folder.path, state, keys: { readWrite: 'writer' } };
    await (await startLocalService(options)).close();
    const database = join(state, 'state.duckdb');
    const content = await readFile(database);
    for (let at = 12_288; at < content.length; at += 262_144) content.fill(0xff, at + 100, at + 5000);
    await writeFile(database, content);
    expect(await failureOf(options)).toContain(`The state in ${state} cannot be used`);
    await rm(database);
    await writeFile(database, await readFile(join(state, 'last-good', 'state.duckdb')));
    await using again = await startLocalService(options);
    const headers = { Authorization: 'Bearer writer' };
    const listed = await fetch(again.url + path, { headers });
    expect(await listed.json()).toMatchObject({ pagination: { total: 1 } });
    await served.folder[Symbol.asyncDispose]();
  });
});

describe('keys', () => {
  test('are made once and kept readable for their user alone', async () => {
    await using served = await serve({ 'a.csv': 'a\n1\n' });
    const { keys, state } = served.service;
    await served.service.close();
    expect((await stat(join(state, 'keys.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(state)).mode & 0o777).toBe(0o700);
    await using again = await startLocalService({ data: served.folder.path, keys: { admin: 'given' } });
    expect(again.keys).toEqual({ ...keys, admin: 'given' });
  });
});

describe('destinations of dq.json', () => {
  test('get nothing until they are allowed, which is remembered until they change', async () => {
    await using folder = await dataFolder({ 'a.csv': 'a\n1\n' });
    const name = async (url: string) =>
      folder.write('dq.json', JSON.stringify({ destinations: [{ name: 'ops', url }] }));
    const tried = async (allowDestinations?: boolean) =>
      failureOf({ data: folder.path, state: join(folder.parent, 'state'), allowDestinations });
    await name('http://127.0.0.1:1/a');
    expect(await tried()).toContain('dq.json or the definition sends alerts about this data to 127.0.0.1:1');
    expect(await tried(false)).toBe('it started');
    expect(await tried()).toContain('which you have not allowed');
    expect(await tried(true)).toBe('it started');
    expect(await tried()).toBe('it started');
    await name('http://127.0.0.1:2/a');
    expect(await tried()).toContain('127.0.0.1:2, which you have not allowed');
  });
});

test('a state folder that cannot be written is refused', async () => {
  await using folder = await dataFolder({ 'a.csv': 'a\n1\n' });
  const state = join(folder.parent, 'file');
  await writeFile(state, '');
  await chmod(state, 0o600);
  expect(await failureOf({ data: folder.path, state })).toContain('Name a folder that can be written');
});
