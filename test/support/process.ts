import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A local service in a process of its own. */
export interface Running {
  readonly url: string;
  readonly assetId: string;
  readonly child: ChildProcess;
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
  for await (const line of createInterface({ input: child.stdout })) {
    return { ...(JSON.parse(line) as { url: string; assetId: string }), child };
  }
  throw new Error('the service did not start');
}

/** Kills it without warning. */
export async function kill({ child }: Running): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
