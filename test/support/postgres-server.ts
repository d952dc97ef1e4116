import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { freePort } from './free-port.ts';
import { hasTool } from './tool.ts';
import { testFolder } from './test-folder.ts';

// Debian does not put the server on the path.
const folder = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1) ?? '';
const program = (name: string) => (existsSync(join(folder, name)) ? join(folder, name) : name);

/** Whether a PostgreSQL server is installed. */
export const isPostgresInstalled = hasTool('postgres', '--version', program('postgres'));

/** A PostgreSQL of a test's own, on loopback. */
export interface PostgresServer {
  readonly port: number;
  /** Address for the owner, who may do everything. */
  readonly url: string;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The server refuses to run as root; whoever runs the tests as root lets the user of Debian's package run it. */
function unprivileged(command: string, args: readonly string[]): readonly [string, readonly string[]] {
  if (process.getuid?.() !== 0) return [command, args];
  return ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', command, ...args]];
}

/** Starts a server and resolves once it takes connections. */
export async function startPostgres(): Promise<PostgresServer> {
  const home = await mkdtemp(join(testFolder, 'dq-postgres-'));
  const data = join(home, 'data');
  await mkdir(data);
  if (process.getuid?.() === 0) {
    await chmod(home, 0o755);
    spawnSync('chown', ['-R', 'postgres:postgres', home]);
  }
  const [initdb, initArgs] = unprivileged(program('initdb'), [
    '--pgdata',
    data,
    '--username',
    'owner',
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--locale',
    'C.UTF-8',
    '--no-sync',
  ]);
  const made = spawnSync(initdb, initArgs, { encoding: 'utf8', cwd: home });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const [command, args] = unprivileged(program('postgres'), [
    '-D',
    data,
    '-p',
    String(port),
    '-k',
    home,
    '-h',
    '127.0.0.1',
    '-c',
    'fsync=off',
  ]);
  const server = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: home });
  const ended = new Promise<void>((resolve) => void server.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let output = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-10_000);
      if (output.includes('ready to accept connections')) resolve();
    });
    server.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${output}`)));
  });
  const stop = async () => {
    // Quit at once: what clients still run is not waited for.
    server.kill('SIGQUIT');
    await ended;
    await rm(home, { recursive: true, force: true });
  };
  return { port, url: `postgres://owner@127.0.0.1:${port}/postgres`, stop, [Symbol.asyncDispose]: stop };
}
