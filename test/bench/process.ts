import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type { JobName, jobs } from './jobs.ts';

/** Runs a file of this folder with Node and resolves to what it printed. */
export function runNode(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${args.join(' ')} ended with ${code ?? signal}`));
    });
  });
}

/** The path of a file of this folder. */
export function benchFile(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Runs a job in a process of its own. */
export async function runJob<Name extends JobName>(
  job: Name,
  contestant: string,
  parameters: Parameters<(typeof jobs)[Name]>[1],
): Promise<Awaited<ReturnType<(typeof jobs)[Name]>>> {
  const output = await runNode([benchFile('worker.ts'), job, contestant, JSON.stringify(parameters)]);
  return JSON.parse(output) as Awaited<ReturnType<(typeof jobs)[Name]>>;
}

/** The service of the benchmark, in a process of its own. */
export interface BenchServer {
  readonly url: string;
  stop(): void;
}

export async function startServer(): Promise<BenchServer> {
  const child = spawn(process.execPath, [benchFile('server.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = await new Promise<string[]>((resolve, reject) => {
    createInterface(child.stdout).once('line', (line) => resolve([line]));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}
