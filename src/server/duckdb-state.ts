import { resolve } from 'node:path';

import type * as DuckDB from '@duckdb/node-api';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

import { ConfigurationError } from '../errors/configuration-error.ts';
import type { Row, Run, State, StateValue } from './state.ts';
import { StateFiles } from './state-files.ts';
import { ForeignObject, prepareSchema, tables } from './state-schema.ts';

/** DuckDB locks its file against other processes; this is what locks it against a second service in this one. */
const openFolders = new Set<string>();

/**
 * The state of a service in one process, in a database file of its own. A statement that has resolved survives the
 * process, killed at whatever moment.
 */
export class DuckDBState implements State {
  readonly isShared = false;
  readonly #duckdb: typeof DuckDB;
  readonly #folder: string;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Opens the state in a folder, made if need be. Nothing in the folder is trusted: the file cannot reach anything
   * beside itself, and one that contains more than a state, or is damaged, is refused.
   *
   * @throws ConfigurationError if the folder cannot be written, the state is in use, foreign or damaged.
   */
  static async open(duckdb: typeof DuckDB, path: string): Promise<DuckDBState> {
    const folder = resolve(path);
    if (openFolders.has(folder)) throw inUse(folder);
    openFolders.add(folder);
    try {
      return await openFiles(duckdb, new StateFiles(folder));
    } catch (error) {
      openFolders.delete(folder);
      throw error;
    }
  }

  /** Takes over what {@link DuckDBState.open} opened. */
  constructor(duckdb: typeof DuckDB, folder: string, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#duckdb = duckdb;
    this.#folder = folder;
    this.#instance = instance;
    this.#connection = connection;
  }

  readonly run: Run = async (sql, ...values) => this.#alone(async () => this.#execute(sql, values));

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

  async #execute(sql: string, values: readonly StateValue[]): Promise<readonly Row[]> {
    // Never kept for another time: the plan of a prepared statement relies on the values of the columns when it was made,
    // and DuckDB 1.5 gives wrong texts if that has changed.
    const statement = await this.#connection.prepare(sql);
    try {
      const { LIST, VARCHAR } = this.#duckdb;
      for (const [at, value] of values.entries()) {
        // The type of an empty list cannot be told from its values.
        if (typeof value === 'object' && value !== null) statement.bindList(at + 1, value, LIST(VARCHAR));
        else statement.bindValue(at + 1, value);
      }
      const result = await statement.run();
      return await result.getRows();
    } finally {
      statement.destroySync();
    }
  }
}

/** The same restrictions as for data: no other file, no network, no extension, and no way back. */
const restrictions = {
  enable_external_access: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  allow_unsigned_extensions: 'false',
  allow_persistent_secrets: 'false',
  threads: '1',
  memory_limit: '1GB',
  lock_configuration: 'true',
} as const;

async function openFiles(duckdb: typeof DuckDB, files: StateFiles): Promise<DuckDBState> {
  const copy = await prepare(files);
  let instance: DuckDBInstance | undefined;
  try {
    instance = await duckdb.DuckDBInstance.create(files.database, restrictions);
    const connection = await instance.connect();
    await prepareSchema(connection);
    // DuckDB checks a block when it reads it: a damaged one would fail a request, and later ones would go on.
    for (const table of tables) await connection.run(`SELECT count(hash(${table})) FROM ${table}`);
    await copy.keep();
    return new DuckDBState(duckdb, files.folder, instance, connection);
  } catch (error) {
    instance?.closeSync();
    await copy.discard();
    const message = error instanceof Error ? error.message : String(error);
    if (/Conflicting lock/i.test(message)) throw inUse(files.folder, error);
    if (error instanceof ForeignObject) {
      throw new ConfigurationError(
        `The state in ${files.folder} was not made by this version of the local service: it contains the ${message}. ${await files.advice()}`,
        { cause: error },
      );
    }
    throw damaged(files.folder, message.split('\n', 1)[0] ?? message, await files.advice(), error);
  }
}

async function prepare(files: StateFiles) {
  let problem: string | undefined;
  try {
    await files.prepare();
    problem = await files.problem();
    if (problem === undefined) return await files.copy();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(
      `The state cannot be kept in ${files.folder}: ${message}. Name a folder that can be written with the option state.`,
      { cause: error },
    );
  }
  throw damaged(files.folder, problem, await files.advice());
}

function damaged(folder: string, problem: string, advice: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`The state in ${folder} cannot be used: ${problem}. ${advice}`, { cause });
}

function inUse(folder: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(
    `Another local service uses the state in ${folder}. Stop it, or name another folder with the option state.`,
    { cause },
  );
}
