/**
 * The process that queries run in. It is started by `QueryWorker` and ends with the process that started it: what a query
 * does to it, it does to nothing but the queries beside it.
 */
import { writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';

import { loadDuckDB } from './duckdb.ts';
import type { Order, WorkerLimits, Report } from './protocol.ts';
import { type Execution, Sandbox } from './sandbox.ts';

/** Milliseconds between two measurements of the memory. */
const memoryPause = 25;

/** Milliseconds between two interrupts of a query. */
const interruptPause = 20;

let sandbox: Sandbox | undefined;
let limits: WorkerLimits | undefined;
let memoryWatch: NodeJS.Timeout | undefined;
const running = new Map<number, Execution>();
const interruptions = new Map<number, NodeJS.Timeout>();

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
  limits = given;
  // If memory runs out, Linux ends this process before the service.
  await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);
}

async function allow(files: readonly string[]): Promise<void> {
  if (limits === undefined) throw new Error('the files came before the limits');
  sandbox ??= new Sandbox(await loadDuckDB(), limits);
  await sandbox.allow(files);
  send({ type: 'ready' });
}

async function run(id: number, sql: string): Promise<void> {
  if (sandbox === undefined) throw new Error('a query came before its files');
  memoryWatch ??= setInterval(checkMemory, memoryPause);
  const execution = sandbox.execute(sql);
  running.set(id, execution);
  try {
    const rows = await execution.rows;
    send({ type: 'rows', id, rows, memory: process.memoryUsage.rss() });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    send({ type: 'failed', id, message, memory: process.memoryUsage.rss() });
  } finally {
    running.delete(id);
    clearInterval(interruptions.get(id));
    interruptions.delete(id);
    if (running.size === 0) {
      clearInterval(memoryWatch);
      memoryWatch = undefined;
    }
  }
}

function checkMemory(): void {
  if (limits !== undefined && process.memoryUsage.rss() > limits.memory) send({ type: 'too-much-memory' });
}

function interrupt(id: number): void {
  const execution = running.get(id);
  // The query has ended meanwhile.
  if (execution === undefined) return;
  clearInterval(interruptions.get(id));
  // DuckDB forgets an interrupt that comes before the statement has begun.
  interruptions.set(id, setInterval(execution.interrupt, interruptPause));
  execution.interrupt();
}

async function follow(order: Order): Promise<void> {
  switch (order.type) {
    case 'open':
      return open(order.limits);
    case 'allow':
      return allow(order.files);
    case 'query':
      return run(order.id, order.sql);
    case 'interrupt':
      interrupt(order.id);
  }
}

// Ctrl-C reaches the whole group of processes: when this one ends is for the service to say.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', end);
process.on('message', (order: Order) => void follow(order).catch(end));
