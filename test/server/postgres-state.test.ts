import * as pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { PostgresState } from '../../src/server/postgres/postgres-state.ts';
import type { State } from '../../src/server/state.ts';
import { isPostgresInstalled } from '../support/postgres-server.ts';
import { newDuckDBState, openPostgresState, postgresStates } from './states.ts';

async function columnsOf(state: State, schema: string): Promise<readonly string[]> {
  const rows = await state.run(
    `SELECT table_name || '.' || column_name || ' ' || lower(data_type) FROM information_schema.columns
         WHERE table_schema = $1 AND table_name NOT IN ('migrations', 'settings', 'turns', 'request_counts') ORDER BY 1`,
    schema,
  );
  return rows.map(([column]) =>
    String(column).replace('character varying', 'varchar').replace('double precision', 'double'),
  );
}

describe.skipIf(!isPostgresInstalled)('a state in PostgreSQL', () => {
  let databases: Awaited<ReturnType<typeof postgresStates>>;
  beforeAll(async () => {
    databases = await postgresStates();
  }, 60_000);
  afterAll(async () => databases[Symbol.asyncDispose]());

  test('is migrated once, however many processes open it at the same time', async () => {
    const url = await databases.newDatabase();
    const states = await Promise.all(Array.from({ length: 5 }, async () => openPostgresState(url)));
    const [first] = states;
    expect(await first?.run('SELECT version FROM migrations')).toEqual([[1]]);
    await Promise.all(states.map(async (state) => state.close()));
  });

  test('has the same tables and columns as the one in a file', async () => {
    await using postgres = await databases.newState();
    await using file = await newDuckDBState();
    expect(await columnsOf(postgres.state, 'data_quality')).toEqual(await columnsOf(file.state, 'main'));
  });

  test('that a later version has made is refused', async () => {
    const url = await databases.newDatabase();
    const state = await openPostgresState(url);
    await state.run('INSERT INTO migrations VALUES (99, now())');
    await state.close();
    await expect(openPostgresState(url)).rejects.toThrow(
      'The state in the database was made by a later version of data-quality-client (version 99)',
    );
  });

  test('that cannot be reached is refused without its password', async () => {
    const url = 'postgres://dq:s3cret@127.0.0.1:1/dq';
    const failure = await PostgresState.open(pg, {
      url,
      shown: 'postgres://127.0.0.1:1/dq',
      redact: (text) => text.replaceAll('s3cret', '***'),
    }).catch((error: unknown) => error);
    expect(String(failure)).toMatch(
      /^ConfigurationError: The state in postgres:\/\/127\.0\.0\.1:1\/dq cannot be used: .*ECONNREFUSED/,
    );
    expect(JSON.stringify(failure) + String((failure as Error).stack)).not.toContain('s3cret');
  });

  test('a role that may not create the schema is told what it needs', async () => {
    await databases.newDatabase();
    const url = await databases.newDatabase();
    const owner = new pg.Client({ connectionString: url });
    await owner.connect();
    await owner.query('CREATE ROLE limited LOGIN');
    await owner.end();
    const limited = new URL(url);
    limited.username = 'limited';
    await expect(openPostgresState(limited.href)).rejects.toThrow(
      /permission denied for database .*must be able to connect and to create the schema data_quality/,
    );
  });
});
