import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { env } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { Order, WorkerLimits, Report, Rows } from './protocol.ts';

/** What became of a query: its rows, or why it failed. */
export type QueryOutcome =
  | { readonly rows: Rows }
  | {
      readonly failure: string;
      /** Whether it overran its time or its memory, or crashed. */
      readonly overran?: boolean;
      /** Whether somebody else killed the process, maybe before the query began. */
      readonly isFromOutside?: boolean;
    };

/** What bounds a query. */
export interface QueryLimits {
  /** Milliseconds it may take before it is interrupted. */
  readonly timeout: number;
  /** Milliseconds it has to end after that before its process is killed. */
  readonly grace: number;
  /** Interrupts it as well. */
  readonly signal?: AbortSignal | undefined;
}

/** What a program needs to start and to find its libraries: no key, no password. */
const passedOn = new Set([
  'DYLD_LIBRARY_PATH',
  'LD_LIBRARY_PATH',
  'NODE_OPTIONS',
  'PATH',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'TMPDIR',
  'WINDIR',
]);

/** A query that is under way. */
interface Running {
  readonly resolve: (outcome: QueryOutcome) => void;
  readonly timers: NodeJS.Timeout[];
  /** Called when the query has ended. */
  onEnd: () => void;
  /** Set when the time is over. */
  failure: string | undefined;
}

/**
 * A process that runs one query at a time. A query that overruns its time or its memory, or that crashes, ends the
 * process and nothing else.
 */
export class QueryWorker {
  readonly #child: ChildProcess;
  readonly #limits: WorkerLimits;
  readonly #ready: Promise<void>;
  readonly #ended: Promise<void>;
  #becomeReady: () => void = () => undefined;
  #running: Running | undefined;
  #isStarted = false;
  #files: string | undefined;
  #isOpen = true;
  #memory = 0;
  #whyKilled: string | undefined;

  constructor(limits: WorkerLimits) {
    this.#limits = limits;
    this.#child = fork(workerFile(), {
      env: Object.fromEntries(Object.entries(env).filter(([name]) => passedOn.has(name.toUpperCase()))),
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // While a query runs, its timer keeps the service alive.
    this.#child.unref();
    this.#child.channel?.unref();
    this.#ready = new Promise((resolve) => (this.#becomeReady = resolve));
    this.#ended = new Promise((resolve) => {
      const onEnd = (reason: string) => {
        this.#isOpen = false;
        this.#settle(
          this.#whyKilled === undefined
            ? {
                failure: `the query crashed DuckDB (${reason})`,
                overran: true,
                isFromOutside: reason === 'SIGKILL',
              }
            : { failure: this.#whyKilled, overran: true },
        );
        this.#becomeReady();
        resolve();
      };
      this.#child.once('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`));
      this.#child.once('error', (error) => onEnd(error.message));
    });
    this.#child.on('message', (report: Report) => this.#onReport(report));
  }

  /** Whether it can run another query. */
  get isOpen(): boolean {
    const { memory, buffers } = this.#limits;
    // The memory it still uses must leave enough to the next query.
    return this.#isOpen && this.#whyKilled === undefined && this.#memory <= memory - buffers;
  }

  /** Runs one statement that may read `files`. */
  async run(files: readonly string[], sql: string, limits: QueryLimits): Promise<QueryOutcome> {
    const outcome = new Promise<QueryOutcome>((resolve) => {
      this.#running = { resolve, timers: [], onEnd: () => undefined, failure: undefined };
    });
    await this.#start();
    const running = this.#running;
    if (running !== undefined) {
      const wanted = JSON.stringify(files);
      this.#startTimers(running, limits);
      this.#send({ type: 'query', sql, ...(this.#files === wanted ? {} : { files }) });
      this.#files = wanted;
    }
    return outcome;
  }

  /** Ends the process, whatever it does. Resolves when it is gone and its folder is removed. */
  async kill(reason: string): Promise<void> {
    this.#whyKilled ??= reason;
    // Whoever waits for its end stays until then.
    if (this.#isOpen) this.#child.ref();
    this.#child.kill('SIGKILL');
    await this.#ended;
    await rm(this.#limits.tempDirectory, { recursive: true, force: true });
  }

  /** Makes the process ready, once. */
  async #start(): Promise<void> {
    if (!this.#isStarted) {
      this.#isStarted = true;
      await rm(this.#limits.tempDirectory, { recursive: true, force: true });
      await mkdir(this.#limits.tempDirectory, { recursive: true });
      this.#send({ type: 'open', limits: this.#limits });
    }
    this.#child.channel?.ref();
    await this.#ready;
    this.#child.channel?.unref();
  }

  #send(order: Order): void {
    // A process that has just ended is noticed by its exit.
    if (this.#child.connected) this.#child.send(order, () => undefined);
  }

  #startTimers(running: Running, { timeout, grace, signal }: QueryLimits): void {
    const interrupt = (failure: string) => {
      running.failure ??= failure;
      this.#send({ type: 'interrupt' });
      running.timers.push(setTimeout(() => void this.kill(failure), grace));
    };
    const expire = () => interrupt(`the query took longer than ${timeout} ms`);
    running.timers.push(setTimeout(expire, timeout));
    const leave = () => interrupt('nobody waits for the query any more');
    running.onEnd = () => signal?.removeEventListener('abort', leave);
    signal?.addEventListener('abort', leave);
    if (signal?.aborted === true) leave();
  }

  #onReport(report: Report): void {
    switch (report.type) {
      case 'ready':
        this.#becomeReady();
        return;
      case 'too-much-memory':
        void this.kill(
          `the query needed more than ${Math.round(this.#limits.memory / 2 ** 20)} MiB of memory`,
        );
        return;
      case 'rows':
        this.#memory = report.memory;
        this.#settle({ rows: report.rows });
        return;
      case 'failed':
        this.#memory = report.memory;
        this.#settle(
          this.#running?.failure === undefined
            ? { failure: report.message }
            : { failure: this.#running.failure, overran: true },
        );
    }
  }

  #settle(outcome: QueryOutcome): void {
    const running = this.#running;
    this.#running = undefined;
    for (const timer of running?.timers ?? []) clearTimeout(timer);
    running?.onEnd();
    running?.resolve(outcome);
  }
}

/** The file of the process: beside the sources, or built into the package, also when an application is bundled. */
function workerFile(): string {
  if (import.meta.url.endsWith('.ts')) return fileURLToPath(new URL('worker.ts', import.meta.url));
  const manifest = createRequire(import.meta.url).resolve('data-quality-client/package.json');
  return fileURLToPath(new URL('dist/engines/duckdb/worker.js', pathToFileURL(manifest)));
}
