import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type { LogEntry } from 'data-quality-client/local';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A local service in a process of its own. */
export interface Running {
  readonly url: string;
  readonly assetId: string;
  readonly child: ChildProcess;
  /** What it has logged, in the order in which it happened. */
  readonly log: readonly LogEntry[];
}

/** Starts the service in a process of its own, its clock ahead by so many ms. */
export async function start(data: string, ahead = 0, state = '', queryTimeout?: number): Promise<Running> {
  const limits = queryTimeout === undefined ? [] : [String(queryTimeout)];
  return run('serve-process.ts', [data, String(ahead), state, ...limits]);
}

/** Starts a service that shares its state with others, in a process of its own. */
export async function startShared(options: object): Promise<Running> {
  return run('cluster-process.ts', [JSON.stringify(options)]);
}

async function run(script: string, args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [fileOf(script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const log: LogEntry[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<Running>();
  lines.once('line', (line) => {
    resolve({ ...(JSON.parse(line) as { url: string; assetId: string }), child, log });
    lines.on('line', (entry) => log.push(JSON.parse(entry) as LogEntry));
  });
  lines.once('close', () => reject(new Error('the service did not start')));
  return promise;
}

/** Kills it without warning. */
export async function kill({ child }: Running): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
