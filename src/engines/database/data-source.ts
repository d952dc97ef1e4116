import { findColumn } from '../find-column.ts';
import { noTable } from '../reasons.ts';
import { QueryError } from '../query-error.ts';
import { ScanCollector } from '../scan-collector.ts';
import type { Database, DatabaseColumn, DatabaseTable } from './database.ts';

/** A database as one asset: its tables, and aggregates over them that share a scan. */
export class DataSource {
  readonly database: Database;
  /** First part of each `table_path`. */
  readonly #name: string;
  readonly #scans: ScanCollector<DatabaseTable, unknown>;
  readonly #signal: AbortSignal | undefined;
  #listing: Promise<readonly DatabaseTable[]> | undefined;

  constructor(
    name: string,
    database: Database,
    caller?: { readonly scans: ScanCollector<DatabaseTable, unknown>; readonly signal: AbortSignal },
  ) {
    this.#name = name;
    this.database = caller === undefined ? database : forCaller(database, caller.signal);
    this.#scans = caller?.scans ?? scansOf(database);
    this.#signal = caller?.signal;
  }

  /** The same source for one caller: what it computes is cancelled when the signal is aborted, and shares the scans. */
  forCaller(signal: AbortSignal | undefined): DataSource {
    return signal === undefined
      ? this
      : new DataSource(this.#name, this.database, { scans: this.#scans, signal });
  }

  /** Lists the tables; those who ask at the same time share one look at the catalog. */
  async list(): Promise<readonly DatabaseTable[]> {
    this.#listing ??= this.database.list().finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  /** The `table_path` of a table. */
  pathOf({ schema, name }: DatabaseTable): string {
    return `${this.#name}.${schema}.${name}`;
  }

  /** Finds a table by its `table_path`; throws a {@link QueryError}. */
  async find(path: string): Promise<DatabaseTable> {
    const tables = await this.list();
    const found = tables.find((table) => this.pathOf(table) === path);
    if (found === undefined) {
      throw new QueryError(
        noTable(
          path,
          tables.map((table) => this.pathOf(table)),
        ),
      );
    }
    return found;
  }

  /** Finds a column by its exact name, or the one that differs from it in case alone; throws a {@link QueryError}. */
  column(table: DatabaseTable, wanted: string): DatabaseColumn {
    return findColumn(this.pathOf(table), table.columns, wanted);
  }

  /** Computes aggregates over a table, in a query that other requests of the same time may share. */
  async aggregate(table: DatabaseTable, aggregates: readonly string[]): Promise<readonly unknown[]> {
    return this.#scans.aggregate(table, aggregates, this.#signal);
  }
}

function scansOf(database: Database): ScanCollector<DatabaseTable, unknown> {
  return new ScanCollector({
    keyOf: ({ schema, name: table }) => JSON.stringify([schema, table]),
    merge: (a) => a,
    scan: async (table, aggregates, signal) => {
      const from = database.dialect.tableName(table);
      const [row = []] = await database.query(`SELECT ${aggregates.join(', ')} FROM ${from}`, signal);
      return row;
    },
    afterFailure: (error) => {
      if (!(error instanceof QueryError) || error.isUnreachable) return 'none';
      return error.overran ? 'each' : 'halves';
    },
  });
}

function forCaller(database: Database, signal: AbortSignal): Database {
  return {
    dialect: database.dialect,
    list: async () => database.list(),
    query: async (sql) => database.query(sql, signal),
    typeOf: async (sql) => database.typeOf(sql, signal),
    close: async () => database.close(),
  };
}
