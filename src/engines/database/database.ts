import type { Column } from '../../server/source.ts';
import type { Dialect } from './dialect.ts';

/** A column as the catalog of a database describes it. */
export interface DatabaseColumn extends Column {
  /** The type that its SQL goes by: without length, precision or what else is around it. */
  readonly base: string;
}

/** A table or view of a database. */
export interface DatabaseTable {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly DatabaseColumn[];
  /** Names of the columns of its primary key; none for a view. */
  readonly key: readonly string[];
}

/** A row of a result. */
export type Row = readonly unknown[];

/** A database that evaluates rules: what is sent to it, and the SQL that it understands. */
export interface Database {
  readonly dialect: Dialect;
  /** Lists the tables that the role may read; throws a `QueryError` if the database is away. */
  list(): Promise<readonly DatabaseTable[]>;
  /**
   * Runs one statement that reads; throws a `QueryError`. When the signal is aborted, the database ends the statement,
   * and the promise rejects with the signal's reason.
   */
  query(sql: string, signal?: AbortSignal): Promise<readonly Row[]>;
  /** The type of the first column of a statement, which is not run to its end; throws a `QueryError`. */
  typeOf(sql: string, signal?: AbortSignal): Promise<string>;
  /** Ends what runs, and every connection. */
  close(): Promise<void>;
}
