/** A value of a statement; a list contains texts, for `unnest($1::VARCHAR[])`. */
export type StateValue = string | number | boolean | null | readonly (string | null)[];

/** A row of a result, its values in the order of the columns. Whole numbers may come as `bigint` or as text. */
export type Row = readonly unknown[];

/** Runs one statement, with the values of `$1`, `$2` and so on. */
export type Run = (sql: string, ...values: readonly StateValue[]) => Promise<readonly Row[]>;

/**
 * What a running service remembers, as tables. Every statement is written once, in the SQL that DuckDB and PostgreSQL
 * have in common: no QUALIFY, no arg_max, no JSON functions, an alias for each subquery, `FLOAT8` for a cast.
 * A table is a line in `state-schema.ts` and a migration in `postgres/migrations.ts`.
 */
export interface State {
  /** Whether several processes may use it at the same time. */
  readonly isShared: boolean;
  /** Runs one statement; it is durable when the promise resolves. */
  readonly run: Run;
  /**
   * Runs statements that take effect together or not at all, as if nobody else used the state meanwhile. The task may
   * run again if somebody else was first: it must do nothing but run statements.
   */
  transaction<Value>(task: (run: Run) => Promise<Value>): Promise<Value>;
  /** Lets what was begun end, and closes the state. */
  close(): Promise<void>;
}
