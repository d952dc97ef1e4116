import { rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { constrainedMemory } from 'node:process';

import { ColumnarCopies, type ColumnarCopiesOptions } from './columnar-copies.ts';
import { WorkerPool } from './worker-pool.ts';
import { QueryError } from '../query-error.ts';
import { ScanCollector } from '../scan-collector.ts';
import type { Rows, Value, WorkerLimits } from './protocol.ts';
import { mergeViews, type View, viewSql } from './view.ts';

/** What bounds the queries of an engine. */
export interface EngineLimits {
  /** Folder for what does not fit into memory; nothing else may use it. */
  readonly tempDirectory: string;
  /** Milliseconds a query may take. */
  readonly timeout: number;
  /**
   * Milliseconds a query has to end once it was interrupted, before its process is killed.
   * @default 1000
   */
  readonly grace?: number;
  /**
   * Bytes of memory that the buffers of all queries may take.
   * @default half of what the machine, or its container, has
   */
  readonly memory?: number;
  /**
   * Milliseconds after which a process that runs no query ends.
   * @default 60_000
   */
  readonly idle?: number;
  /**
   * How text files that are read again and again are kept as parquet.
   * @default they are not
   */
  readonly copies?: ColumnarCopiesOptions;
}

/** What is computed by an engine. */
export type Queries = Pick<Engine, 'query' | 'aggregate' | 'announce'>;

/** What a scan reads. */
interface ScanSource {
  readonly files: readonly string[];
  readonly view: View;
}

/** Bytes of text whose checks are gathered as long as those of a file that is read quickly. */
const gatheredBytes = 10e6;

/** How many times longer the checks of the largest files are gathered: 0.1 s after the last one. */
const mostSlowness = 33;

/** How many queries over data run at the same time: in one process if they may read the same files. */
const dataQueries = 2;

/** Milliseconds that the copying of a file may take. */
const longestCopy = 30 * 60_000;

/** Milliseconds that a query without files may take: it only asks about an expression. */
const longestQuestion = 5000;

// Lists, texts and code are not counted as buffers.
const overhead = 256 * 2 ** 20;
const overrun = 1.5;

const longestMessage = 500;

/**
 * Runs queries that can read the files they are given and nothing else: no other file, no network, no extension,
 * no setting. They run in other processes: a query that overruns its time or its memory, or that crashes DuckDB, fails
 * alone; one that ran beside it runs again.
 */
export class Engine {
  /** Copies of text files, if they are kept. */
  readonly copies: ColumnarCopies | undefined;
  readonly #data: WorkerPool;
  readonly #questions: WorkerPool;
  readonly #copiers = new Set<WorkerPool>();
  readonly #timeout: number;
  readonly #grace: number;
  readonly #tempDirectory: string;
  readonly #scans = new ScanCollector<ScanSource, Value>({
    keyOf: ({ files, view: { reading, name } }) => JSON.stringify([files, reading, name]),
    merge: (a, b) => {
      const view = mergeViews(a.view, b.view);
      return view && { ...a, view };
    },
    slowness: ({ view: { textBytes = 0 } }) => Math.min(Math.max(1, textBytes / gatheredBytes), mostSlowness),
    scan: async ({ files, view }, aggregates, signal) => {
      const sql = `SELECT ${aggregates.join(', ')} FROM ${viewSql(view)}`;
      const [row = []] = await this.query(files, sql, signal);
      return row;
    },
    afterFailure: (error) => (error instanceof QueryError ? (error.overran ? 'each' : 'halves') : 'none'),
  });

  constructor({
    tempDirectory,
    timeout,
    grace = 1000,
    memory = defaultMemory(),
    idle,
    copies,
  }: EngineLimits) {
    const buffers = Math.floor(memory / dataQueries);
    const limits = { buffers, memory: buffers * overrun + overhead, copies: copies?.folder };
    this.#data = new WorkerPool(dataQueries, { ...limits, tempDirectory: join(tempDirectory, 'data') }, idle);
    // A question about an expression does not wait for the data.
    this.#questions = new WorkerPool(1, { ...limits, tempDirectory: join(tempDirectory, 'questions') }, idle);
    this.copies =
      copies && new ColumnarCopies(copies, async (files, sql) => this.#writeCopy(limits, files, sql));
    this.#timeout = timeout;
    this.#grace = grace;
    this.#tempDirectory = tempDirectory;
  }

  /** The engine for one caller: what it computes is ended when the signal is aborted, unless others wait for it. */
  forCaller(signal: AbortSignal | undefined): Queries {
    return {
      query: async (files, sql) => this.query(files, sql, signal),
      aggregate: async (files, view, aggregates) => this.aggregate(files, view, aggregates, signal),
      announce: (files, view) => this.announce(files, view),
    };
  }

  /**
   * Runs one statement that may read `files`, or none if it needs none; throws {@link QueryError}, or the reason of the
   * signal.
   */
  async query(files: readonly string[], sql: string, signal?: AbortSignal): Promise<Rows> {
    const isQuestion = files.length === 0;
    const pool = isQuestion ? this.#questions : this.#data;
    const timeout = isQuestion ? Math.min(longestQuestion, this.#timeout) : this.#timeout;
    const outcome = await pool.run(files, sql, { timeout, grace: this.#grace, signal });
    signal?.throwIfAborted();
    if ('rows' in outcome) return outcome.rows;
    const { failure, overran = failure.startsWith('Out of Memory') } = outcome;
    throw new QueryError(shortMessage(failure), { cause: new Error(failure), overran });
  }

  /**
   * Computes aggregates over a view, in a query that other requests of the same time may share; throws
   * {@link QueryError} if one of these aggregates fails.
   */
  async aggregate(
    files: readonly string[],
    view: View,
    aggregates: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly Value[]> {
    return this.#scans.aggregate({ files, view }, aggregates, signal);
  }

  /**
   * Announces that aggregates over a reading are about to be requested, so that a scan of it waits for them. To be called
   * back when they were requested, or will not be.
   */
  announce(files: readonly string[], { reading, name }: Pick<View, 'reading' | 'name'>): () => void {
    return this.#scans.announce({ files, view: { reading, name, columns: new Map(), steps: [] } });
  }

  /** Writes a copy in a process of its own, which ends with it. */
  async #writeCopy(
    limits: Omit<WorkerLimits, 'tempDirectory'>,
    files: readonly string[],
    sql: string,
  ): Promise<void> {
    const tempDirectory = join(this.#tempDirectory, 'copies');
    const copier = new WorkerPool(1, { ...limits, tempDirectory, isBackground: true });
    this.#copiers.add(copier);
    try {
      const outcome = await copier.run(files, sql, {
        timeout: longestCopy,
        grace: this.#grace,
        signal: undefined,
      });
      if ('failure' in outcome) throw new QueryError(shortMessage(outcome.failure));
    } finally {
      await copier.close();
      this.#copiers.delete(copier);
    }
  }

  /** Ends what runs, at once. */
  async close(): Promise<void> {
    await Promise.all([this.#data, this.#questions, ...this.#copiers].map(async (pool) => pool.close()));
    await this.copies?.idle();
    await rm(this.#tempDirectory, { recursive: true, force: true });
  }
}

function defaultMemory(): number {
  // Without a limit, the constrained memory is 0, or more than there is.
  return Math.floor(Math.min(constrainedMemory() || Infinity, totalmem()) / 2);
}

/** What DuckDB says, without the excerpt of our own SQL and without advice about settings. */
function shortMessage(message: string): string {
  return (
    message
      .split(/\n\s*(?:LINE \d+|Possible solutions):/u, 1)[0]
      ?.trim()
      .slice(0, longestMessage) ?? message
  );
}
