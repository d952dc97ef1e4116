import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

const version = '3.4.0';
const folder = join(homedir(), '.cache', 'data-quality-client', `chdb-${version}`);

/**
 * Whether chDB, today's ClickHouse in a process, can be used: it takes 570 MB, so it is not a dependency, and is
 * installed into a cache when tests that need it run for the first time.
 */
export async function installChdb(): Promise<boolean> {
  if (existsSync(join(folder, 'node_modules', 'chdb', 'package.json'))) return true;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const args = ['install', `chdb@${version}`, '--no-audit', '--no-fund', '--no-save'];
  const installed = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', timeout: 120_000 });
  if (installed.status === 0) return true;
  process.stderr.write(
    `skipped: the tests with chdb, which cannot be installed: ${installed.stderr.slice(0, 300)}\n`,
  );
  return false;
}

/** chDB behind HTTP. */
export interface ChdbServer {
  readonly port: number;
  run(sql: string): Promise<string>;
  readonly stop: () => Promise<void>;
}

const program = `
  import { createServer } from 'node:http';
  import { Session } from 'chdb';
  const session = new Session();
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { searchParams } = new URL(request.url, 'http://localhost');
    const sql = Buffer.concat(chunks).toString() || searchParams.get('query');
    try {
      response.end(session.query(sql, 'JSONCompact'));
    } catch (error) {
      response.writeHead(500).end(String(error.message));
    }
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.on('disconnect', () => process.exit());
`;

/** Starts it in a process of its own. */
export async function startChdb(): Promise<ChdbServer> {
  const main = join(folder, 'server.js');
  await writeFile(main, program);
  const child: ChildProcess = fork(main, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (found) => resolve(Number(found)));
    child.once('exit', (code) => reject(new Error(`chdb ended with ${code}`)));
  });
  return {
    port,
    async run(sql) {
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: sql });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      return text;
    },
    stop: async () => {
      const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
      child.kill('SIGKILL');
      await ended;
    },
  };
}
