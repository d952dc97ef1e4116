import { run } from '../../src/cli/run.ts';
import { emptyFolder, environment, type Run, type RunOptions } from './dq.ts';

/**
 * Runs the sources of `dq` in this process, a tenth of the work of a process of its own: for tables of many runs. One at a
 * time, as the environment, the working directory and the streams are those of the process; without signals, standard
 * input, or the flags that a module remembers, such as `--quiet`.
 */
export async function dqHere(
  args: readonly string[],
  { env = {}, cwd = emptyFolder }: Pick<RunOptions, 'env' | 'cwd'> = {},
): Promise<Run> {
  const before = { env: { ...process.env }, cwd: process.cwd() };
  const printed = { stdout: '', stderr: '' };
  const restore = (['stdout', 'stderr'] as const).map((name) => {
    const stream = process[name];
    const { write } = stream;
    stream.write = (chunk: string | Uint8Array) => {
      printed[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      return true;
    };
    return () => {
      stream.write = write;
    };
  });
  replaceEnvironment(environment(env));
  process.chdir(cwd);
  try {
    return { code: await run(args), ...printed };
  } finally {
    process.chdir(before.cwd);
    replaceEnvironment(before.env);
    for (const undo of restore) undo();
  }
}

function replaceEnvironment(wanted: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, wanted);
}
