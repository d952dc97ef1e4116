import { spawn } from 'node:child_process';

import { freePort } from './free-port.ts';
import { hasTool } from './tool.ts';

/** Whether Debian's `redis-server`, or another one, is installed. */
export const isRedisInstalled = hasTool('redis-server');

/** A Redis server of a test's own, on loopback, without a trace on disk. */
export interface RedisServer {
  readonly port: number;
  /** Stops the process where it stands, so that it keeps its connections and sends nothing. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** Starts a server and resolves once it takes connections. */
export async function startRedis(port?: number): Promise<RedisServer> {
  const chosen = port ?? (await freePort());
  const args = ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const process = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => void process.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let output = '';
    process.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('Ready to accept connections')) resolve();
    });
    process.once('exit', (code) => reject(new Error(`redis-server ended with ${code}: ${output}`)));
  });
  return {
    port: chosen,
    freeze: () => void process.kill('SIGSTOP'),
    thaw: () => void process.kill('SIGCONT'),
    async stop() {
      process.kill('SIGKILL');
      await ended;
    },
  };
}
