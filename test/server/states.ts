import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import * as duckdb from '@duckdb/node-api';
import * as pg from 'pg';

import { DuckDBState } from '../../src/server/duckdb-state.ts';
import { PostgresState } from '../../src/server/postgres/postgres-state.ts';
import type { State } from '../../src/server/state.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { testFolder } from '../support/test-folder.ts';

/** A state of a kind, new and empty. */
export interface NewState extends AsyncDisposable {
  readonly state: State;
}

/** Opens a new state in a file. */
export async function newDuckDBState(): Promise<NewState> {
  const folder = await mkdtemp(join(testFolder, 'dq-state-'));
  const state = await DuckDBState.open(duckdb, folder);
  return {
    state,
    [Symbol.asyncDispose]: async () => {
      await state.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a PostgreSQL with as many empty databases as are wanted. */
export async function postgresStates() {
  const server: PostgresServer = await startPostgres();
  let made = 0;
  const newDatabase = async (): Promise<string> => {
    made += 1;
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(`CREATE DATABASE state_${made}`);
    await client.end();
    return server.url.replace(/\/postgres$/, `/state_${made}`);
  };
  return {
    server,
    newDatabase,
    newState: async (): Promise<NewState> => {
      const state = await openPostgresState(await newDatabase());
      return { state, [Symbol.asyncDispose]: async () => state.close() };
    },
    [Symbol.asyncDispose]: async () => server.stop(),
  };
}

/** Opens the state in a database. */
export async function openPostgresState(url: string): Promise<PostgresState> {
  return PostgresState.open(pg, { url, shown: 'the database', redact: (text) => text });
}
