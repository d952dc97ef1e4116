import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Whether a Redis server can be started here. */
export const redisInstalled = spawnSync('redis-server', ['--version']).status === 0;
if (!redisInstalled)
  process.stderr.write(
    'skipped: tests with Redis, as there is no redis-server here (Debian: redis-server)\n',
  );

/** Starts an empty Redis server on loopback that keeps nothing on disk. */
export async function startRedis(): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort();
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  let log = '';
  for await (const chunk of server.stdout) {
    log += String(chunk);
    if (log.includes('Ready to accept connections')) break;
  }
  if (server.exitCode !== null) throw new Error(`redis-server did not start: ${log}`);
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
