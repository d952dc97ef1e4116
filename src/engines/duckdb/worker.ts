/**
 * The process that queries run in. It is started by `QueryWorker`, does one query at a time and ends with the process
 * that started it: what a query does to it, it does to nothing else.
 */
import { writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';

import { loadDuckDB } from './duckdb.ts';
import type { Order, WorkerLimits, Report } from './protocol.ts';
import { Sandbox } from './sandbox.ts';

/** Milliseconds between two measurements of the memory. */
const memoryPause = 25;

/** Milliseconds between two interrupts of a query. */
const interruptPause = 20;

let sandbox: Sandbox | undefined;
let limits: WorkerLimits | undefined;
let isRunning = false;
let interruption: NodeJS.Timeout | undefined;

function send(report: Report): void {
  if (process.connected) process.send?.(report);
}

function end(): void {
  // `process.exit` waits for the threads of DuckDB.
  process.kill(process.pid, 'SIGKILL');
}

async function open(given: WorkerLimits): Promise<void> {
  // Threads have the priority of the one that starts them, so this comes before any of them.
  if (given.isBackground === true) setPriority(constants.priority.PRIORITY_LOW);
  // If memory runs out, Linux ends this process before the service.
  await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);
  limits = given;
  sandbox = new Sandbox(await loadDuckDB(), given);
  send({ type: 'ready' });
}

async function run(sql: string, files: readonly string[] | undefined): Promise<void> {
  if (sandbox === undefined || limits === undefined) throw new Error('a query came before the limits');
  const { memory } = limits;
  isRunning = true;
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > memory) send({ type: 'too-much-memory' });
  }, memoryPause);
  try {
    if (files !== undefined) sandbox.allow(files);
    const rows = await sandbox.run(sql);
    send({ type: 'rows', rows, memory: process.memoryUsage.rss() });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    send({ type: 'failed', message, memory: process.memoryUsage.rss() });
  } finally {
    clearInterval(watch);
    clearInterval(interruption);
    isRunning = false;
  }
}

function interrupt(): void {
  // The query has ended meanwhile.
  if (!isRunning) return;
  // DuckDB forgets an interrupt that comes before the statement has begun.
  interruption = setInterval(() => sandbox?.interrupt(), interruptPause);
  sandbox?.interrupt();
}

// Ctrl-C reaches the whole group of processes: when this one ends is for the service to say.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', end);
process.on('message', (order: Order) => {
  if (order.type === 'interrupt') interrupt();
  else void (order.type === 'open' ? open(order.limits) : run(order.sql, order.files)).catch(end);
});
