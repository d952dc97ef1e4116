import { totalmem } from 'node:os';

import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';

import type { DuckDB } from './duckdb.ts';
import { Lanes } from './lanes.ts';
import { literal } from './quote.ts';

/** A query that DuckDB refused or could not finish; its message is fit for the result of a check. */
export class QueryError extends Error {
  override readonly name = 'QueryError' as const;
}

/** The rows of a result, each with its values in the order of the columns. */
export type Rows = readonly (readonly DuckDBValue[])[];

/** What bounds the queries of an engine. */
export interface EngineLimits {
  /** Folder for what does not fit into memory. */
  readonly spill: string;
  /** Milliseconds a query may take. */
  readonly timeout: number;
}

// Queries run on threads of libuv, of which there are four: files and names must stay reachable meanwhile.
const concurrentQueries = 2;

const mostSpilled = '20GB';
const longestMessage = 500;

/** A DuckDB instance that may read certain files. */
interface Sandbox {
  readonly files: string;
  readonly instance: Promise<DuckDBInstance>;
  /** How many queries run on it. */
  users: number;
}

/**
 * Runs queries that can read the files they are given and nothing else: no other file, no network, no extension,
 * no setting. Memory, disk and time are bounded.
 */
export class Engine {
  readonly #duckdb: DuckDB;
  readonly #limits: EngineLimits;
  readonly #lanes = new Lanes(concurrentQueries);
  readonly #running = new Set<DuckDBConnection>();
  #sandbox: Sandbox | undefined;
  #closed = false;

  constructor(duckdb: DuckDB, limits: EngineLimits) {
    this.#duckdb = duckdb;
    this.#limits = limits;
  }

  /** Runs one statement that may read `files`, or none where it needs none; throws {@link QueryError}. */
  async query(files: readonly string[], sql: string): Promise<Rows> {
    return this.#lanes.run(async () => {
      if (this.#closed) throw new Error('the service is closing');
      const sandbox = this.#sandboxFor(files);
      sandbox.users += 1;
      try {
        return await this.#run(await sandbox.instance, sql);
      } finally {
        sandbox.users -= 1;
        await this.#retire(sandbox);
      }
    });
  }

  /** Interrupts what runs and lets go of everything. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const connection of this.#running) connection.interrupt();
    const sandbox = this.#sandbox;
    this.#sandbox = undefined;
    if (sandbox !== undefined) await this.#retire(sandbox);
  }

  async #run(instance: DuckDBInstance, sql: string): Promise<Rows> {
    const connection = await instance.connect();
    this.#running.add(connection);
    let expired = false;
    const timer = setTimeout(() => {
      expired = true;
      connection.interrupt();
    }, this.#limits.timeout);
    try {
      const result = await connection.run(sql);
      return await result.getRows();
    } catch (error) {
      // Says nothing of the data: no check may store it.
      if (this.#closed) throw new Error('the service is closing', { cause: error });
      const message = expired ? `took longer than ${this.#limits.timeout} ms` : shortMessage(error);
      throw new QueryError(message, { cause: error });
    } finally {
      clearTimeout(timer);
      this.#running.delete(connection);
      connection.closeSync();
    }
  }

  /** The permission to read files is fixed when an instance opens: another set of files needs another instance. */
  #sandboxFor(files: readonly string[]): Sandbox {
    const wanted = JSON.stringify(files);
    if (this.#sandbox !== undefined && (files.length === 0 || this.#sandbox.files === wanted)) {
      return this.#sandbox;
    }
    const previous = this.#sandbox;
    const sandbox = { files: wanted, instance: this.#create(files), users: 0 };
    this.#sandbox = sandbox;
    if (previous !== undefined) void this.#retire(previous);
    return sandbox;
  }

  /** Closes an instance that was replaced, when the last query on it has ended. */
  async #retire(sandbox: Sandbox): Promise<void> {
    if (sandbox === this.#sandbox || sandbox.users > 0) return;
    const instance = await sandbox.instance.catch(() => undefined);
    instance?.closeSync();
  }

  async #create(files: readonly string[]): Promise<DuckDBInstance> {
    const instance = await this.#duckdb.DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`
      SET GLOBAL TimeZone = 'UTC';
      SET GLOBAL memory_limit = '${Math.floor(totalmem() / 2)}B';
      SET GLOBAL temp_directory = ${literal(this.#limits.spill)};
      SET GLOBAL max_temp_directory_size = '${mostSpilled}';
      SET GLOBAL autoinstall_known_extensions = false;
      SET GLOBAL autoload_known_extensions = false;
      SET GLOBAL allow_community_extensions = false;
      SET GLOBAL allow_persistent_secrets = false;
      SET GLOBAL enable_external_file_cache = false;
      SET GLOBAL allowed_paths = [${files.map(literal).join(', ')}];
      SET GLOBAL enable_external_access = false;
      SET GLOBAL lock_configuration = true;
    `);
    connection.closeSync();
    return instance;
  }
}

/** What DuckDB says, without the excerpt of our own SQL. */
function shortMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (
    message
      .split(/\n\s*LINE \d+:/u, 1)[0]
      ?.trim()
      .slice(0, longestMessage) ?? message
  );
}
