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
      /** Whether something else may be to blame: a query beside it, or somebody who killed the process. */
      readonly mayBeInnocent?: boolean;
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
  readonly id: number;
  readonly resolve: (outcome: QueryOutcome) => void;
  readonly timers: NodeJS.Timeout[];
  /** Called when the query has ended. */
  onEnd: () => void;
  /** Set when the time is over. */
  failure: string | undefined;
  /** Whether another query ran at some time while it did. */
  isAccompanied: boolean;
}

/** Why a process is killed. */
interface Kill {
  readonly reason: string;
  /** The query that is to blame, if one alone is. */
  readonly culprit?: number;
}

/**
 * A process that runs queries over one set of files at a time. A query that overruns its time or its memory, or that
 * crashes, ends the process and with it the queries beside it, which are told that they may be innocent.
 */
export class QueryWorker {
  readonly #child: ChildProcess;
  readonly #limits: WorkerLimits;
  readonly #ended: Promise<void>;
  readonly #running = new Map<number, Running>();
  #ready: Promise<void> = Promise.resolve();
  #becomeReady: () => void = () => undefined;
  #last = 0;
  #isStarted = false;
  #files: string | undefined;
  #isOpen = true;
  #memory = 0;
  #killed: Kill | undefined;

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
    this.#ended = new Promise((resolve) => {
      const onEnd = (reason: string) => {
        this.#isOpen = false;
        for (const running of this.#running.values()) this.#settle(running, this.#endOf(running, reason));
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
    return this.#isOpen && this.#killed === undefined && this.#memory <= memory - buffers;
  }

  /** Whether it runs no query. */
  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Whether it can read these files, and no others, without a new start of DuckDB. */
  reads(files: readonly string[]): boolean {
    return this.#files === JSON.stringify(files);
  }

  /** Runs one statement that may read `files`: beside others only if it {@link reads} them. */
  async run(files: readonly string[], sql: string, limits: QueryLimits): Promise<QueryOutcome> {
    const { promise, resolve } = Promise.withResolvers<QueryOutcome>();
    const running = this.#enter(resolve);
    if (!this.reads(files)) {
      this.#files = JSON.stringify(files);
      this.#ready = this.#prepare(files);
    }
    await this.#ready;
    if (this.#running.has(running.id)) {
      this.#startTimers(running, limits);
      this.#send({ type: 'query', id: running.id, sql });
    }
    return promise;
  }

  /** Ends the process, whatever it does. Resolves when it is gone and its folder is removed. */
  async kill(reason: string, culprit?: number): Promise<void> {
    this.#killed ??= { reason, ...(culprit === undefined ? {} : { culprit }) };
    // Whoever waits for its end stays until then.
    if (this.#isOpen) this.#child.ref();
    this.#child.kill('SIGKILL');
    await this.#ended;
    await rm(this.#limits.tempDirectory, { recursive: true, force: true });
  }

  #enter(resolve: Running['resolve']): Running {
    const isAccompanied = !this.isIdle;
    for (const other of this.#running.values()) other.isAccompanied = true;
    this.#last += 1;
    const running: Running = {
      id: this.#last,
      resolve,
      timers: [],
      onEnd: () => undefined,
      failure: undefined,
      isAccompanied,
    };
    this.#running.set(running.id, running);
    return running;
  }

  /** Makes the process ready to read files, before the time of any query counts. */
  async #prepare(files: readonly string[]): Promise<void> {
    const ready = new Promise<void>((resolve) => (this.#becomeReady = resolve));
    if (!this.#isStarted) {
      this.#isStarted = true;
      await rm(this.#limits.tempDirectory, { recursive: true, force: true });
      await mkdir(this.#limits.tempDirectory, { recursive: true });
      this.#send({ type: 'open', limits: this.#limits });
    }
    if (!this.#isOpen) return;
    this.#send({ type: 'allow', files });
    this.#child.channel?.ref();
    await ready;
    this.#child.channel?.unref();
  }

  /** What became of a query when its process ended. */
  #endOf({ id, isAccompanied }: Running, reason: string): QueryOutcome {
    if (this.#killed === undefined) {
      const mayBeInnocent = isAccompanied || reason === 'SIGKILL';
      return { failure: `the query crashed DuckDB (${reason})`, overran: true, mayBeInnocent };
    }
    const { reason: failure, culprit } = this.#killed;
    const mayBeInnocent = culprit === undefined ? isAccompanied : culprit !== id;
    return { failure, overran: true, mayBeInnocent };
  }

  #send(order: Order): void {
    // A process that has just ended is noticed by its exit.
    if (this.#child.connected) this.#child.send(order, () => undefined);
  }

  #startTimers(running: Running, { timeout, grace, signal }: QueryLimits): void {
    const interrupt = (failure: string) => {
      running.failure ??= failure;
      this.#send({ type: 'interrupt', id: running.id });
      running.timers.push(setTimeout(() => void this.kill(failure, running.id), grace));
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
        this.#settle(this.#running.get(report.id), { rows: report.rows });
        return;
      case 'failed': {
        this.#memory = report.memory;
        const running = this.#running.get(report.id);
        if (running !== undefined) this.#settle(running, failureOf(running, report.message));
      }
    }
  }

  #settle(running: Running | undefined, outcome: QueryOutcome): void {
    if (running === undefined) return;
    this.#running.delete(running.id);
    for (const timer of running.timers) clearTimeout(timer);
    running.onEnd();
    running.resolve(outcome);
  }
}

function failureOf({ failure, isAccompanied }: Running, message: string): QueryOutcome {
  if (failure !== undefined) return { failure, overran: true };
  // Queries of one process share its buffers.
  return { failure: message, mayBeInnocent: isAccompanied && message.startsWith('Out of Memory') };
}

/** The file of the process: beside the sources, or built into the package, also when an application is bundled. */
function workerFile(): string {
  if (import.meta.url.endsWith('.ts')) return fileURLToPath(new URL('worker.ts', import.meta.url));
  const manifest = createRequire(import.meta.url).resolve('data-quality-client/package.json');
  return fileURLToPath(new URL('dist/engines/duckdb/worker.js', pathToFileURL(manifest)));
}
