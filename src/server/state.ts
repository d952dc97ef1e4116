import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';

import { ConfigurationError } from '../errors.ts';
import type { DuckDB } from '../engines/duckdb/duckdb.ts';

/** A row of a result, its values in the order of the columns. */
export type Row = readonly DuckDBValue[];

/** Runs statements inside a transaction. */
export type Run = (sql: string, ...values: readonly DuckDBValue[]) => Promise<readonly Row[]>;

const schema = `
  CREATE SEQUENCE IF NOT EXISTS rule_ids;
  CREATE SEQUENCE IF NOT EXISTS result_ids;
  CREATE SEQUENCE IF NOT EXISTS metric_ids;
  CREATE SEQUENCE IF NOT EXISTS snapshot_ids;
  CREATE TABLE IF NOT EXISTS rules (id BIGINT, uuid VARCHAR, asset_id VARCHAR, rule_type VARCHAR, is_active BOOLEAN, record VARCHAR);
  CREATE TABLE IF NOT EXISTS results (id BIGINT, rule_id BIGINT, status VARCHAR, checked_at VARCHAR, record VARCHAR);
  CREATE TABLE IF NOT EXISTS metrics (id BIGINT, uuid VARCHAR, asset_id VARCHAR, metric_type VARCHAR, is_active BOOLEAN, record VARCHAR);
  CREATE TABLE IF NOT EXISTS snapshots (id BIGINT, metric_id BIGINT, value DOUBLE, group_values VARCHAR, status VARCHAR, captured_at VARCHAR, record VARCHAR);
  ALTER TABLE rules ADD COLUMN IF NOT EXISTS ran_at DOUBLE;
  ALTER TABLE metrics ADD COLUMN IF NOT EXISTS ran_at DOUBLE;
  CREATE TABLE IF NOT EXISTS looks (asset_id VARCHAR, look VARCHAR);
  CREATE TABLE IF NOT EXISTS deliveries (id VARCHAR, destination VARCHAR, payload VARCHAR, status VARCHAR, attempts INTEGER, due_at DOUBLE, last_error VARCHAR);
  CREATE TABLE IF NOT EXISTS lineage_nodes (asset_id VARCHAR, id VARCHAR, record VARCHAR);
  CREATE TABLE IF NOT EXISTS lineage_edges (asset_id VARCHAR, from_id VARCHAR, to_id VARCHAR);
`;

/** DuckDB locks its file against other processes; this is what locks it against a second service in this one. */
const openFolders = new Set<string>();

/**
 * The state of a service, in a database file of its own. A statement that has resolved survives the process, killed
 * at whatever moment.
 */
export class State {
  readonly #folder: string;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  #last: Promise<unknown> = Promise.resolve();

  /** Opens the state in a folder, made if need be; throws {@link ConfigurationError} where it can't be written, or is in use. */
  static async open(duckdb: DuckDB, path: string): Promise<State> {
    const folder = resolve(path);
    if (openFolders.has(folder)) throw inUse(folder);
    openFolders.add(folder);
    try {
      const instance = await openDatabase(duckdb, folder);
      const connection = await instance.connect();
      await connection.run("SET GLOBAL threads = 1; SET GLOBAL memory_limit = '1GB'");
      await connection.run(schema);
      return new State(folder, instance, connection);
    } catch (error) {
      openFolders.delete(folder);
      throw error;
    }
  }

  private constructor(folder: string, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#folder = folder;
    this.#instance = instance;
    this.#connection = connection;
  }

  /** Runs one statement; it is durable when the promise resolves. */
  run: Run = async (sql, ...values) => this.#alone(async () => this.#execute(sql, values));

  /** Runs statements that take effect together or not at all. */
  async transaction<Value>(task: (run: Run) => Promise<Value>): Promise<Value> {
    return this.#alone(async () => {
      const run: Run = async (sql, ...values) => this.#execute(sql, values);
      await run('BEGIN');
      try {
        const value = await task(run);
        await run('COMMIT');
        return value;
      } catch (error) {
        await run('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  /** Lets what was begun end, then closes the file. */
  async close(): Promise<void> {
    await this.#alone(async () => {
      this.#connection.closeSync();
      this.#instance.closeSync();
    });
    openFolders.delete(this.#folder);
  }

  /** A connection does one thing at a time. */
  async #alone<Value>(task: () => Promise<Value>): Promise<Value> {
    const result = this.#last.then(task, task);
    this.#last = result;
    return result;
  }

  async #execute(sql: string, values: readonly DuckDBValue[]): Promise<readonly Row[]> {
    // Never kept for another time: the plan of a prepared statement relies on what the columns held when it was made,
    // and DuckDB 1.5 gives wrong texts where that has changed.
    const statement = await this.#connection.prepare(sql);
    try {
      statement.bind([...values]);
      const result = await statement.run();
      return await result.getRows();
    } finally {
      statement.destroySync();
    }
  }
}

async function openDatabase(duckdb: DuckDB, folder: string): Promise<DuckDBInstance> {
  try {
    await mkdir(folder, { recursive: true });
    return await duckdb.DuckDBInstance.create(join(folder, 'state.duckdb'));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (/Conflicting lock/i.test(message)) throw inUse(folder, error);
    throw new ConfigurationError(
      `The state can not be kept in ${folder}: ${message}. Name a folder that can be written with the option state.`,
      { cause: error },
    );
  }
}

function inUse(folder: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(
    `Another local service uses the state in ${folder}. Stop it, or name another folder with the option state.`,
    { cause },
  );
}
