import { join } from 'node:path';

import pLimit, { type LimitFunction } from 'p-limit';

import type { WorkerLimits } from './protocol.ts';
import { type QueryLimits, type QueryOutcome, QueryWorker } from './query-worker.ts';

const closing = 'the service is closing';

/** A bounded number of processes, started when they are needed and replaced when they have ended. */
export class WorkerPool {
  readonly #limits: WorkerLimits;
  readonly #limit: LimitFunction;
  readonly #idle: QueryWorker[] = [];
  readonly #all = new Set<QueryWorker>();
  #started = 0;
  #closed = false;

  /** `tempDirectory` of the limits is the folder with one folder per process. */
  constructor(count: number, limits: WorkerLimits) {
    this.#limits = limits;
    this.#limit = pLimit(count);
  }

  /** Runs a query in a process that does nothing else meanwhile; rejects once the pool is closed. */
  async run(files: readonly string[], sql: string, limits: QueryLimits): Promise<QueryOutcome> {
    return this.#limit(async () => {
      limits.signal?.throwIfAborted();
      const outcome = await this.#attempt(files, sql, limits);
      const again = 'failure' in outcome && outcome.isFromOutside === true;
      return again ? this.#attempt(files, sql, limits) : outcome;
    });
  }

  /** Kills all processes, and with them what they run. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map(async (worker) => this.#discard(worker)));
  }

  async #attempt(files: readonly string[], sql: string, limits: QueryLimits): Promise<QueryOutcome> {
    if (this.#closed) throw new Error(closing);
    const worker = (await this.#takeIdle()) ?? this.#start();
    const outcome = await worker.run(files, sql, limits);
    // Says nothing about the data: no check may store it.
    if (this.#closed) throw new Error(closing);
    if (worker.isOpen) this.#idle.push(worker);
    else await this.#discard(worker);
    return outcome;
  }

  /** Takes an idle process that has not ended since its last query. */
  async #takeIdle(): Promise<QueryWorker | undefined> {
    const worker = this.#idle.pop();
    if (worker === undefined || worker.isOpen) return worker;
    await this.#discard(worker);
    return this.#takeIdle();
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

  async #discard(worker: QueryWorker): Promise<void> {
    await worker.kill(closing);
    this.#all.delete(worker);
  }
}
