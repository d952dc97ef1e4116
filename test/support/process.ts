import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('serve-process.ts', import.meta.url));

/** A local service in a process of its own. */
export interface Running {
  readonly url: string;
  readonly assetId: string;
  readonly child: ChildProcess;
}

/** Starts the service in a process of its own, its clock ahead by so many ms. */
export async function start(data: string, ahead = 0, state = '', queryTimeout?: number): Promise<Running> {
  const limits = queryTimeout === undefined ? [] : [String(queryTimeout)];
  const child = spawn(process.execPath, [script, data, String(ahead), state, ...limits], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
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
