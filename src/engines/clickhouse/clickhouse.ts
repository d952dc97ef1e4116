import { randomUUID } from 'node:crypto';

import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import pLimit from 'p-limit';

import type { Database, DatabaseTable, Row } from '../database/database.ts';
import { QueryError } from '../query-error.ts';
import { shortReason } from '../reasons.ts';
import { catalogQuery, tablesOf } from './catalog.ts';
import { dialect } from './dialect.ts';
import type { ClickHouseDriver } from './driver.ts';
import { literal } from './quote.ts';

/** Where a ClickHouse is, and what bounds the queries that it gets. */
export interface ClickHouseOptions {
  /** `clickhouse://user:password@host:port/database`; `clickhouses://` with TLS. */
  readonly url: string;
  /** The databases whose tables are listed; undefined for that of the address, or all if it names none. */
  readonly schemas: readonly string[] | undefined;
  /** Milliseconds that a query may take. */
  readonly timeout: number;
  /** Removes what is secret from a text. */
  readonly redact: (text: string) => string;
}

/** What a server says of a query: rows, and the types of their columns. */
interface Result {
  readonly meta: readonly { readonly name: string; readonly type: string }[];
  readonly data: readonly Row[];
}

/** Queries that run at the same time: a check must not crowd out those who work there. */
const mostQueries = 4;

const mostMemory = 8 * 2 ** 30;
const mostRows = 100_000;

/** Milliseconds by which a server may be late with ending a query. */
const grace = 5000;

/**
 * A ClickHouse as a source: one server, or a cluster through its `Distributed` tables. Each query only reads, and is
 * bounded in time, memory and rows.
 */
export class ClickHouse implements Database {
  readonly dialect = dialect;
  readonly #options: ClickHouseOptions;
  readonly #client: ClickHouseClient;
  readonly #databases: readonly string[] | undefined;
  readonly #limit = pLimit(mostQueries);
  readonly #running = new Set<AbortController>();
  /** How many times the server has refused a setting. */
  #refused = 0;

  constructor(driver: ClickHouseDriver, options: ClickHouseOptions) {
    const { protocol, host, username, password, pathname } = new URL(options.url);
    const database = decodeURIComponent(pathname.slice(1));
    this.#options = options;
    this.#databases = options.schemas ?? (database === '' ? undefined : [database]);
    const address = /:\d+$/.test(host) ? host : `${host}:${protocol === 'clickhouses:' ? 8443 : 8123}`;
    this.#client = driver.createClient({
      url: `${protocol === 'clickhouses:' ? 'https' : 'http'}://${address}`,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      ...(database === '' ? {} : { database }),
      request_timeout: options.timeout + grace,
      max_open_connections: mostQueries,
      // What is said about a failure is ours to say.
      log: { level: driver.ClickHouseLogLevel.OFF },
      application: 'data-quality-client',
    });
  }

  async list(): Promise<readonly DatabaseTable[]> {
    return tablesOf(await this.query(catalogQuery(this.#databases)));
  }

  async query(sql: string, signal?: AbortSignal): Promise<readonly Row[]> {
    return (await this.#run(sql, signal)).data;
  }

  async typeOf(sql: string, signal?: AbortSignal): Promise<string> {
    return (await this.#run(sql, signal)).meta[0]?.type ?? '';
  }

  async close(): Promise<void> {
    for (const controller of this.#running) controller.abort();
    await this.#client.close();
  }

  async #run(sql: string, signal: AbortSignal | undefined): Promise<Result> {
    return this.#limit(async () => {
      for (;;) {
        signal?.throwIfAborted();
        const before = this.#refused;
        try {
          return await this.#send(sql, signal);
        } catch (error) {
          signal?.throwIfAborted();
          const isRefused = refusedSettings.has(codeOf(error)) && before < 2;
          if (!isRefused) throw this.#failure(error);
          this.#refused = Math.max(this.#refused, before + 1);
        }
      }
    });
  }

  async #send(sql: string, signal: AbortSignal | undefined): Promise<Result> {
    const controller = new AbortController();
    this.#running.add(controller);
    const queryId = randomUUID();
    const leave = () => {
      controller.abort();
      // A server that refused the setting goes on when the connection ends.
      if (this.#refused > 0) void this.#kill(queryId);
    };
    signal?.addEventListener('abort', leave);
    try {
      const sent = await this.#client.query({
        query: sql,
        format: 'JSONCompact',
        query_id: queryId,
        abort_signal: controller.signal,
        clickhouse_settings: this.#settings(),
      });
      return (await sent.json<unknown>()) as unknown as Result;
    } finally {
      signal?.removeEventListener('abort', leave);
      this.#running.delete(controller);
    }
  }

  /** A user whose profile is read-only may not do this: then the query ends by itself. */
  async #kill(queryId: string): Promise<void> {
    const query = `KILL QUERY WHERE query_id = ${literal(queryId)} ASYNC`;
    await this.#client.command({ query }).catch(() => undefined);
  }

  /** What bounds a query; older versions do not know all of it, and a profile that is read-only itself allows none. */
  #settings(): ClickHouseSettings {
    if (this.#refused >= 2) return {};
    return {
      max_execution_time: Math.max(1, Math.ceil(this.#options.timeout / 1000)),
      max_memory_usage: String(mostMemory),
      max_bytes_before_external_group_by: String(mostMemory / 2),
      max_result_rows: String(mostRows),
      // A query whose caller has left is of no use to anybody.
      ...(this.#refused === 0 && { cancel_http_readonly_queries_on_client_close: 1 as const }),
      // At the end: older versions set one after the other, and after this one none.
      readonly: '1',
    };
  }

  #failure(error: unknown): QueryError {
    const code = codeOf(error);
    const said = shortReason(this.#options.redact(reasonOf(error)));
    if (code === '159' || said === 'Timeout error.') {
      return new QueryError(`the query took longer than ${this.#options.timeout} ms`, { overran: true });
    }
    return code === '' || away.has(code)
      ? new QueryError(`ClickHouse cannot be reached: ${said}`, { isUnreachable: true })
      : new QueryError(said, { overran: code === '241' });
  }
}

/** Codes of a server that refuses everybody: wrong user or password, or too much to do. */
const away = new Set(['192', '193', '194', '202', '210', '279', '516']);

/** READONLY, UNKNOWN_SETTING and SETTING_CONSTRAINT_VIOLATION. */
const refusedSettings = new Set(['164', '115', '452']);

/** The code of an error of the server; older versions write it in another way than the client reads. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const [, written = ''] = /^Code: (\d+)/.exec(error.message) ?? [];
  return 'type' in error && 'code' in error ? String(error.code) : written;
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  const message = error instanceof Error ? error.message : String(error);
  const [, inner = message] = /DB::Exception: (.*?)(?:, e\.what\(\) = .*)?$/su.exec(message) ?? [];
  return inner;
}
