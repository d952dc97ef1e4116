import type * as PgModule from 'pg';
import type { Pool, PoolClient } from 'pg';

import { ConfigurationError } from '../../errors/configuration-error.ts';
import type { Row, Run, State, StateValue } from '../state.ts';
import { migrate, NewerState, schema } from './migrations.ts';

/** Where a state in PostgreSQL is. */
export interface PostgresStateOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** The address without credentials, for people. */
  readonly shown: string;
  /** Removes what is secret from a text. */
  readonly redact: (text: string) => string;
}

const mostConnections = 10;
const connectTimeout = 10_000;

/** Milliseconds that a statement may take: none of ours takes long, but for a purge. */
const statementTimeout = 60_000;

/** How often a transaction is tried when somebody else was first. */
const mostTries = 20;

/** Somebody else was first: serialization failure, deadlock, the same key. */
const conflicts = new Set(['40001', '40P01', '23505']);

const isPooled =
  'the settings of the connection are not kept, as behind a pooler that shares connections; name the database itself';

/** A statement of the state failed; its message contains nothing secret. */
export class StateError extends Error {
  override readonly name = 'StateError' as const;
  /** SQLSTATE, or the code of the system; empty if there is none. */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The state of a service in PostgreSQL, which any number of processes share. A statement that has resolved survives
 * the process, killed at whatever moment.
 */
export class PostgresState implements State {
  readonly isShared = true;
  readonly #pool: Pool;
  readonly #redact: (text: string) => string;
  #closed: Promise<void> | undefined;

  /**
   * Connects, and makes or migrates the tables in the schema `data_quality`.
   *
   * @throws ConfigurationError if the database cannot be used.
   */
  static async open(
    pg: Pick<typeof PgModule, 'Pool'>,
    options: PostgresStateOptions,
  ): Promise<PostgresState> {
    const state = new PostgresState(pg, options);
    try {
      // Alone: what a process sees of a schema that another one makes is decided by a lock, not by a snapshot.
      await state.#inTransaction('READ COMMITTED', migrate);
      const [row] = await state.run('SELECT current_schema()');
      if (row?.[0] !== schema) throw new Error(isPooled);
      return state;
    } catch (error) {
      await state.close();
      const reason = reasonOf(error);
      const advice =
        error instanceof NewerState
          ? `was made by a later version of data-quality-client (${reason}). Update this one.`
          : `cannot be used: ${reason}. Its role must be able to connect and to create the schema ${schema}, or own it.`;
      throw new ConfigurationError(`The state in ${options.shown} ${advice}`);
    }
  }

  constructor(pg: Pick<typeof PgModule, 'Pool'>, { url, redact }: PostgresStateOptions) {
    this.#redact = redact;
    this.#pool = new pg.Pool({
      connectionString: withSettings(url),
      max: mostConnections,
      connectionTimeoutMillis: connectTimeout,
      query_timeout: statementTimeout + 5000,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: true,
      keepAlive: true,
      application_name: 'data-quality-client',
    });
    // An idle connection that ends is replaced by the next statement.
    this.#pool.on('error', () => undefined);
  }

  /** Runs a statement of a package that has its own SQL; its rows are objects. */
  async query(statement: {
    readonly text: string;
    readonly values: unknown[];
  }): Promise<{ readonly rows: unknown[]; readonly rowCount: number | null }> {
    return this.#telling(async () => this.#pool.query<Record<string, unknown>>(statement));
  }

  readonly run: Run = async (sql, ...values) => this.#telling(async () => execute(this.#pool, sql, values));

  async transaction<Value>(task: (run: Run) => Promise<Value>): Promise<Value> {
    for (let left = mostTries; ; left -= 1) {
      try {
        return await this.#inTransaction('REPEATABLE READ', task);
      } catch (error) {
        if (left <= 1 || !(error instanceof StateError && conflicts.has(error.code))) throw error;
      }
    }
  }

  async close(): Promise<void> {
    this.#closed ??= this.#pool.end();
    return this.#closed;
  }

  async #inTransaction<Value>(isolation: string, task: (run: Run) => Promise<Value>): Promise<Value> {
    const client = await this.#telling(async () => this.#pool.connect());
    const run: Run = async (sql, ...values) => this.#telling(async () => execute(client, sql, values));
    let failure: Error | undefined;
    try {
      await run(`BEGIN ISOLATION LEVEL ${isolation}`);
      const value = await task(run);
      await run('COMMIT');
      return value;
    } catch (error) {
      await run('ROLLBACK').catch((broken: Error) => {
        failure = broken;
      });
      throw error;
    } finally {
      // A connection that cannot roll back is of no use to anybody.
      client.release(failure);
    }
  }

  /** Runs a task; its failure contains nothing secret. */
  async #telling<Value>(task: () => Promise<Value>): Promise<Value> {
    try {
      return await task();
    } catch (error) {
      throw new StateError(this.#redact(reasonOf(error)), codeOf(error));
    }
  }
}

/** The settings of a connection are part of its start, so that no statement runs without them. */
function withSettings(url: string): string {
  const address = new URL(url);
  const settings = {
    search_path: schema,
    statement_timeout: statementTimeout,
    // What a process held that was cut off from the network is free for the others.
    idle_in_transaction_session_timeout: statementTimeout,
  };
  const written = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  address.searchParams.set(
    'options',
    [address.searchParams.get('options') ?? '', ...written].join(' ').trim(),
  );
  return address.href;
}

async function execute(
  client: Pool | PoolClient,
  sql: string,
  values: readonly StateValue[],
): Promise<readonly Row[]> {
  const { rows } = await client.query<unknown[]>({
    text: sql,
    values: values.map(storable),
    rowMode: 'array',
  });
  return rows;
}

/** PostgreSQL has no text with a NUL in it: like half of a surrogate pair, it becomes the replacement character. */
function storable(value: StateValue): StateValue {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD');
  if (typeof value !== 'object' || value === null) return value;
  return value.map((text) => (text === null ? null : text.replaceAll('\0', '\uFFFD')));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** A connection that was tried at several addresses has several reasons and no message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
