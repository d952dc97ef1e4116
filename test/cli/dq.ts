import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built command line: `npm run build` makes it, and `npm test` runs that first. */
export const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** How a run ended. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder without configuration files, to run in; the home of nobody. */
export const emptyFolder = mkdtempSync(join(tmpdir(), 'dq-test-'));

/** The environment of a run: nothing of this machine's own but where programs are. */
export function environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: emptyFolder,
    XDG_CONFIG_HOME: join(emptyFolder, '.config'),
    ...more,
  };
}

/** Runs `dq` to its end. */
export async function dq(
  args: readonly string[],
  {
    env = {},
    cwd = emptyFolder,
  }: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Promise<Run> {
  const child = spawn(process.execPath, [main, ...args], { env: environment(env), cwd });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  return { code: await promise, stdout, stderr };
}
