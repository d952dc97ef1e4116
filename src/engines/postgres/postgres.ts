import pLimit from 'p-limit';
import type { Client, Pool, PoolClient } from 'pg';

import type { Database, DatabaseTable, Row } from '../database/database.ts';
import { QueryError } from '../query-error.ts';
import { shortReason } from '../reasons.ts';
import { catalogQuery, tablesOf } from './catalog.ts';
import { dialect } from './dialect.ts';
import type { Pg } from './driver.ts';

/** Where a PostgreSQL is, and what bounds the queries that it gets. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** The schemas whose tables are listed; undefined for all that the role may use. */
  readonly schemas: readonly string[] | undefined;
  /** Milliseconds that a query may take. */
  readonly timeout: number;
  /** Removes what is secret from a text. */
  readonly redact: (text: string) => string;
}

/** Connections to a source: a check must not crowd out those who work there. */
const mostConnections = 4;

const lockTimeout = 10_000;
const connectTimeout = 10_000;

/** Milliseconds by which a server may be late with ending a query. */
const grace = 5000;

/**
 * A PostgreSQL as a source. Each query is one statement in a transaction of its own, which is read-only, bounded in
 * time, and rolled back: nothing that it may set outlives it.
 */
export class Postgres implements Database {
  readonly dialect = dialect;
  readonly #pg: Pg;
  readonly #options: PostgresOptions;
  readonly #pool: Pool;
  readonly #limit = pLimit(mostConnections);
  readonly #busy = new Set<number>();
  #closed: Promise<void> | undefined;

  constructor(pg: Pg, options: PostgresOptions) {
    this.#pg = pg;
    this.#options = options;
    this.#pool = new pg.Pool({
      connectionString: options.url,
      max: mostConnections,
      connectionTimeoutMillis: connectTimeout,
      query_timeout: options.timeout + grace,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: true,
      keepAlive: true,
      application_name: 'data-quality-client',
    });
    // An idle connection that ends is replaced by the next query.
    this.#pool.on('error', () => undefined);
  }

  async list(): Promise<readonly DatabaseTable[]> {
    return tablesOf(await this.query(catalogQuery(this.#options.schemas)));
  }

  async query(sql: string, signal?: AbortSignal): Promise<readonly Row[]> {
    return (await this.#run(sql, signal)).rows;
  }

  async typeOf(sql: string, signal?: AbortSignal): Promise<string> {
    const { types } = await this.#run(sql, signal);
    const [[name] = []] = await this.query(`SELECT format_type(${types[0] ?? 0}, NULL)`, signal);
    return String(name);
  }

  async close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #run(
    sql: string,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly rows: readonly Row[]; readonly types: readonly number[] }> {
    return this.#limit(async () => {
      signal?.throwIfAborted();
      const client = await this.#connect();
      const pid = (client as PoolClient & { processID?: number }).processID;
      if (pid !== undefined) this.#busy.add(pid);
      let isBroken = true;
      let cancelling: Promise<void> | undefined;
      const cancel = () => {
        if (pid !== undefined) cancelling = this.#cancel([pid]).catch(() => undefined);
      };
      signal?.addEventListener('abort', cancel);
      try {
        await client.query(this.#opening());
        // The extended protocol takes one statement and no more.
        const query = { text: sql, rowMode: 'array', queryMode: 'extended' };
        const { rows, fields } = await client.query<unknown[]>(query as { text: string; rowMode: 'array' });
        isBroken = false;
        return { rows, types: fields.map(({ dataTypeID }) => dataTypeID) };
      } catch (error) {
        isBroken = !(error instanceof this.#pg.DatabaseError) || codeOf(error).startsWith('57P');
        signal?.throwIfAborted();
        throw this.#failure(error, isBroken);
      } finally {
        signal?.removeEventListener('abort', cancel);
        // Late, it would end whatever the connection does next.
        await cancelling;
        if (pid !== undefined) this.#busy.delete(pid);
        if (!isBroken)
          isBroken = await client.query('ROLLBACK').then(
            () => false,
            () => true,
          );
        client.release(isBroken);
      }
    });
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw this.#failure(error, true);
    }
  }

  #opening(): string {
    const { timeout } = this.#options;
    return `BEGIN TRANSACTION READ ONLY; SET LOCAL statement_timeout = ${timeout}; SET LOCAL lock_timeout = ${lockTimeout};
      SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL standard_conforming_strings = on; SET LOCAL extra_float_digits = 1`;
  }

  #failure(error: unknown, isUnreachable: boolean): QueryError {
    const code = codeOf(error);
    const reason = this.#options.redact(reasonOf(error));
    // A failure of the data itself quotes the value that it met.
    const said = shortReason(code.startsWith('22') ? reason.replaceAll(/"[^"]*"/g, 'a value') : reason);
    if (code === '57014' || said === 'Query read timeout') {
      return new QueryError(`the query took longer than ${this.#options.timeout} ms`, { overran: true });
    }
    return isUnreachable
      ? new QueryError(`PostgreSQL cannot be reached: ${said}`, { isUnreachable: true })
      : new QueryError(said, { overran: code.startsWith('53') });
  }

  /** A query goes on after its connection has ended, unless it is cancelled. */
  async #close(): Promise<void> {
    const pids = [...this.#busy];
    if (pids.length > 0) await this.#cancel(pids).catch(() => undefined);
    await this.#pool.end();
  }

  async #cancel(pids: readonly number[]): Promise<void> {
    const client: Client = new this.#pg.Client({
      connectionString: this.#options.url,
      connectionTimeoutMillis: 1000,
      query_timeout: 1000,
    });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`SELECT pg_cancel_backend(pid) FROM unnest(ARRAY[${pids.join(', ')}]) AS pid`);
    await client.end();
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** A connection that was tried at several addresses has several reasons and no message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
