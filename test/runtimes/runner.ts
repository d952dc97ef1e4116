import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** Folder of this manifest, whose `node_modules` holds the runtimes, bundlers and compilers. */
export const here = import.meta.dirname;

/** Root of the repository. */
export const root = resolve(here, '../..');

/** What every runner is given. */
export interface Context {
  /** Base address of the server that the battery calls. */
  readonly url: string;
  /** Path of the packed package. */
  readonly tarball: string;
  /** A project with the package installed from its tarball, and msw beside it. */
  readonly project: string;
}

/** One cell of the matrix: resolves with what was done, such as `14/14`; rejects if it does not work. */
export type Runner = (context: Context) => Promise<string>;

/** What became of one step of the battery. */
export interface StepOutcome {
  readonly name: string;
  readonly ok: boolean;
  readonly message?: string;
}

/** Runs a program to its end and returns what it printed; rejects with its output if it fails. */
export async function run(
  program: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly timeout?: number;
  },
): Promise<string> {
  const { cwd, env = {}, timeout = 240_000 } = options;
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      cwd,
      timeout,
      maxBuffer: 2 ** 26,
      env: { ...process.env, NO_COLOR: '1', ...env },
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const output = `${stdout}\n${stderr}`.trim().split('\n').slice(-12).join('\n');
    throw new Error(`${[program.split('/').at(-1), ...args].join(' ').slice(0, 200)}\n${output}`, {
      cause: error,
    });
  }
}

/** Path of a program of this manifest. */
export function tool(name: string): string {
  return join(here, 'node_modules/.bin', name);
}

/** Reads the outcomes that a runtime printed or returned as JSON; rejects with every step that failed. */
export function judge(json: string): string {
  const outcomes = JSON.parse(json.slice(json.indexOf('[{"name"'))) as readonly StepOutcome[];
  const failed = outcomes.filter(({ ok }) => !ok);
  if (failed.length > 0) {
    throw new Error(failed.map(({ name, message = '' }) => `${name}: ${message.slice(0, 400)}`).join('\n'));
  }
  return `${outcomes.length}/${outcomes.length}`;
}

/** Makes a project in a temporary folder, uses it, and deletes it. */
export async function withProject<Result>(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'data-quality-client-runtime-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
