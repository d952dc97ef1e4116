import pLimit, { type LimitFunction } from 'p-limit';

import type { Clock } from './clock.ts';
import type { Job, JobHandler, Jobs } from './jobs.ts';

interface Queue {
  readonly handle: JobHandler['handle'];
  readonly limit: LimitFunction;
  /** Keys of the jobs that are queued or under way. */
  readonly known: Set<string>;
}

/** The jobs of a service that is one process. They are not kept: at its start, the process adds again what is left. */
export class LocalJobs implements Jobs {
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #queues = new Map<string, Queue>();
  readonly #stop = new AbortController();
  readonly #working = new Set<Promise<void>>();

  constructor({ clock, onError }: { readonly clock: Clock; readonly onError: (error: unknown) => void }) {
    this.#clock = clock;
    this.#onError = onError;
  }

  async work(queue: string, { concurrency, handle }: JobHandler): Promise<void> {
    this.#queues.set(queue, { handle, limit: pLimit(concurrency), known: new Set() });
    return Promise.resolve();
  }

  async add(name: string, jobs: readonly Job[]): Promise<void> {
    const queue = this.#queues.get(name);
    if (queue === undefined) return;
    const added = jobs.filter(({ key }) => !queue.known.has(key)).map(async (job) => this.#do(queue, job));
    await Promise.all(added);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#working);
  }

  async #do(queue: Queue, { key, dueAt }: Job): Promise<void> {
    queue.known.add(key);
    const work = this.#attempt(queue, key, dueAt).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) this.#onError(error);
    });
    this.#working.add(work);
    await work;
    this.#working.delete(work);
    queue.known.delete(key);
  }

  async #attempt({ limit, handle }: Queue, key: string, dueAt: number): Promise<void> {
    const { signal } = this.#stop;
    await this.#clock.sleep(dueAt - this.#clock.now(), signal);
    await limit(async () => {
      if (!signal.aborted) await handle(key);
    });
  }
}
