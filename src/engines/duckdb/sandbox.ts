import type { DuckDBConnection, DuckDBInstance, DuckDBResult, DuckDBValue } from '@duckdb/node-api';

import type { DuckDB } from './duckdb.ts';
import type { WorkerLimits, Rows, Value } from './protocol.ts';
import { literal } from './quote.ts';

const mostSpilled = '20GB';
const mostResultBytes = 64 * 1024 * 1024;

/** A statement that runs. */
export interface Execution {
  /** Rejects with the error of DuckDB. */
  readonly rows: Promise<Rows>;
  /** Makes the statement fail, if DuckDB looks at that in time. */
  readonly interrupt: () => void;
}

/**
 * Runs queries that can read the files they are given and nothing else: no other file, no network, no extension,
 * no setting.
 */
export class Sandbox {
  readonly #duckdb: DuckDB;
  readonly #limits: WorkerLimits;
  #instance: DuckDBInstance | undefined;

  constructor(duckdb: DuckDB, limits: WorkerLimits) {
    this.#duckdb = duckdb;
    this.#limits = limits;
  }

  /** Allows the queries to read these files and no others; no query may run meanwhile. */
  async allow(files: readonly string[]): Promise<void> {
    // The permission to read files is fixed when an instance opens: another set of files needs another instance.
    this.#instance?.closeSync();
    this.#instance = undefined;
    this.#instance = await this.#create(files);
  }

  /** Runs one statement, beside those that run already. */
  execute(sql: string): Execution {
    let connection: DuckDBConnection | undefined;
    const run = async (): Promise<Rows> => {
      if (this.#instance === undefined) throw new Error('a query came before its files');
      const own = await this.#instance.connect();
      connection = own;
      try {
        return await readRows(await own.run(sql));
      } finally {
        connection = undefined;
        own.closeSync();
      }
    };
    return { rows: run(), interrupt: () => connection?.interrupt() };
  }

  async #create(files: readonly string[]): Promise<DuckDBInstance> {
    const instance = await this.#duckdb.DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const { copies, isBackground = false } = this.#limits;
    await connection.run(`
      SET GLOBAL TimeZone = 'UTC';
      SET GLOBAL memory_limit = '${this.#limits.buffers}B';
      SET GLOBAL temp_directory = ${literal(this.#limits.tempDirectory)};
      SET GLOBAL max_temp_directory_size = '${mostSpilled}';
      SET GLOBAL autoinstall_known_extensions = false;
      SET GLOBAL autoload_known_extensions = false;
      SET GLOBAL allow_community_extensions = false;
      SET GLOBAL allow_persistent_secrets = false;
      SET GLOBAL enable_external_file_cache = false;
      SET GLOBAL allowed_paths = [${files.map(literal).join(', ')}];
      SET GLOBAL allowed_directories = [${copies === undefined ? '' : literal(copies)}];
      ${isBackground ? 'SET GLOBAL threads = 1;' : ''}
      SET GLOBAL enable_external_access = false;
      SET GLOBAL lock_configuration = true;
    `);
    connection.closeSync();
    return instance;
  }
}

async function readRows(result: DuckDBResult): Promise<Rows> {
  const rows: Value[][] = [];
  let bytes = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return rows;
    for (const row of chunk.getRows()) {
      const values = row.map(plain);
      for (const value of values) bytes += typeof value === 'string' ? value.length : 8;
      if (bytes > mostResultBytes) throw new Error(`the result is larger than ${mostResultBytes} bytes`);
      rows.push(values);
    }
  }
}

/** A message between processes keeps no classes. */
function plain(value: DuckDBValue): Value {
  return typeof value === 'object' && value !== null ? value.toString() : value;
}
