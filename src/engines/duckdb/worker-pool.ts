import { join } from 'node:path';

import pLimit, { type LimitFunction } from 'p-limit';

import type { WorkerLimits } from './protocol.ts';
import { type QueryLimits, type QueryOutcome, QueryWorker } from './query-worker.ts';

const closing = 'the service is closing';

/** Milliseconds after which a process that runs nothing ends. */
const longestIdle = 60_000;

/**
 * Processes for a bounded number of queries at the same time, started when they are needed and replaced when they have
 * ended. Queries over the same files share one, so that the memory of several does not add up. One that fails when
 * another of its process may be to blame runs again, alone.
 */
export class WorkerPool {
  readonly #limits: WorkerLimits;
  readonly #limit: LimitFunction;
  readonly #idle: number;
  readonly #all = new Set<QueryWorker>();
  /** Those that run one query alone. */
  readonly #reserved = new Set<QueryWorker>();
  readonly #timers = new Map<QueryWorker, NodeJS.Timeout>();
  #started = 0;
  #closed = false;

  /** `tempDirectory` of the limits is the folder with one folder per process; `idle` is in ms. */
  constructor(count: number, limits: WorkerLimits, idle = longestIdle) {
    this.#limits = limits;
    this.#limit = pLimit(count);
    this.#idle = idle;
  }

  /** Runs a query; rejects once the pool is closed. */
  async run(files: readonly string[], sql: string, limits: QueryLimits): Promise<QueryOutcome> {
    return this.#limit(async () => {
      limits.signal?.throwIfAborted();
      const outcome = await this.#attempt(this.#shared(files), files, sql, limits);
      if (!('failure' in outcome) || outcome.mayBeInnocent !== true) return outcome;
      limits.signal?.throwIfAborted();
      const alone = this.#alone();
      this.#reserved.add(alone);
      try {
        return await this.#attempt(alone, files, sql, limits);
      } finally {
        this.#reserved.delete(alone);
      }
    });
  }

  /** Kills all processes, and with them what they run. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map(async (worker) => this.#discard(worker)));
  }

  async #attempt(
    worker: QueryWorker,
    files: readonly string[],
    sql: string,
    limits: QueryLimits,
  ): Promise<QueryOutcome> {
    clearTimeout(this.#timers.get(worker));
    const outcome = await worker.run(files, sql, limits);
    // Says nothing about the data: no check may store it.
    if (this.#closed) throw new Error(closing);
    if (worker.isIdle && worker.isOpen) this.#rest(worker);
    else if (worker.isIdle) await this.#discard(worker);
    return outcome;
  }

  /** A process that reads the same files, if there is one. */
  #shared(files: readonly string[]): QueryWorker {
    const found = [...this.#all].find(
      (worker) => worker.isOpen && !this.#reserved.has(worker) && worker.reads(files),
    );
    return found ?? this.#alone();
  }

  /** A process that runs nothing. */
  #alone(): QueryWorker {
    if (this.#closed) throw new Error(closing);
    return [...this.#all].find((worker) => worker.isOpen && worker.isIdle) ?? this.#start();
  }

  #start(): QueryWorker {
    this.#started += 1;
    const worker = new QueryWorker({
      ...this.#limits,
      tempDirectory: join(this.#limits.tempDirectory, String(this.#started)),
    });
    this.#all.add(worker);
    return worker;
  }

  #rest(worker: QueryWorker): void {
    // Two queries may end at the same time: the first timer must not outlast the second.
    clearTimeout(this.#timers.get(worker));
    const end = () => void this.#discard(worker);
    this.#timers.set(worker, setTimeout(end, this.#idle).unref());
  }

  async #discard(worker: QueryWorker): Promise<void> {
    clearTimeout(this.#timers.get(worker));
    this.#timers.delete(worker);
    await worker.kill(closing);
    this.#all.delete(worker);
  }
}
