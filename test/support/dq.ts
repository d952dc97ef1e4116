import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { testFolder } from './test-folder.ts';

/** The built command line: `npm run build` makes it, and `npm test` runs that first. */
export const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** How a run ended. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder without configuration files, to run in; the home of nobody. */
export const emptyFolder = mkdtempSync(join(testFolder, 'dq-test-'));

/** The environment of a run: nothing of this machine's own but where programs are. */
export function environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: emptyFolder,
    XDG_CONFIG_HOME: join(emptyFolder, '.config'),
    TMPDIR: process.env['TMPDIR'] ?? '',
    XDG_STATE_HOME: join(emptyFolder, '.state'),
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    ...more,
  };
}

/** Where and with what a run is started. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What it reads on standard input. */
  readonly input?: string;
}

/** Runs `dq` to its end. */
export function dq(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  return startDq(args, options).ended;
}

/** Starts `dq` and goes on. */
export function startDq(args: readonly string[], options: RunOptions = {}) {
  return start(process.execPath, [main, ...args], options);
}

/** Starts `dq` on a terminal, where all that is printed comes on standard output; needs the program `script`. */
export function startDqOnTerminal(args: readonly string[], options: RunOptions = {}) {
  const command = [process.execPath, main, ...args].map(quote).join(' ');
  return start('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], options);
}

/** A word as a shell reads it. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Starts a program in the environment of a run, and goes on. */
export function start(
  program: string,
  args: readonly string[],
  { env = {}, cwd = emptyFolder, input }: RunOptions = {},
) {
  const child = spawn(program, args, { env: environment(env), cwd });
  if (input !== undefined) child.stdin.end(input);
  const said = { stdout: '', stderr: '' };
  const wanted: { readonly text: string; readonly found: () => void }[] = [];
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      said[name] += chunk;
      for (const { text, found } of wanted) if (said[name].includes(text)) found();
    });
  }
  const ended = Promise.withResolvers<Run>();
  child.on('close', (code) => ended.resolve({ code, ...said }));
  return {
    ended: ended.promise,
    /** What was printed on standard error until now. */
    messages: () => said.stderr,
    interrupt: () => child.kill('SIGINT'),
    terminate: () => child.kill('SIGTERM'),
    /** Reads no more of what is printed, as `head` does. */
    closeOutput: () => void child.stdout.destroy(),
    /** Types on standard input. */
    type: (text: string) => void child.stdin.write(text),
    /** Waits until a text was printed, and returns what was printed on standard output until then. */
    async says(text: string): Promise<string> {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (said.stdout.includes(text) || said.stderr.includes(text)) resolve();
      wanted.push({ text, found: resolve });
      const early = ended.promise.then(({ stderr }) => {
        throw new Error(`ended without saying ${text}: ${stderr}`);
      });
      await Promise.race([promise, early]);
      return said.stdout;
    },
  };
}
