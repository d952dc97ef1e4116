import { vi } from 'vitest';

import { emptyFolder, environment, type Run, type RunOptions } from './dq.ts';

let isRunning = false;

/**
 * Runs the sources of `dq` in this process, which is a tenth of the work of a process of its own. Only one at a time, as
 * environment, working directory and streams are those of this process; without signals, standard input, or flags that a
 * module remembers, such as `--quiet`.
 */
export async function dqHere(
  args: readonly string[],
  { env = {}, cwd = emptyFolder }: Pick<RunOptions, 'env' | 'cwd'> = {},
): Promise<Run> {
  if (isRunning) throw new Error('one run at a time: use dq() in concurrent tests');
  isRunning = true;
  const before = { env: { ...process.env }, cwd: process.cwd() };
  const printed = { stdout: '', stderr: '' };
  const restoreStreams = (['stdout', 'stderr'] as const).map((name) => {
    const stream = process[name];
    const listeners = stream.listeners('error');
    const write = vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      printed[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      return true;
    });
    return () => {
      write.mockRestore();
      // Those of the run, which in a process of its own end with the process.
      for (const listener of stream.listeners('error')) {
        if (!listeners.includes(listener)) stream.off('error', listener as (error: Error) => void);
      }
    };
  });
  replaceEnvironment(environment(env));
  process.chdir(cwd);
  try {
    // Imported here, as colours are chosen by the environment when a module is loaded.
    const { run } = await import('../../src/cli/run.ts');
    return { code: await run(args), ...printed };
  } finally {
    process.chdir(before.cwd);
    replaceEnvironment(before.env);
    for (const restore of restoreStreams) restore();
    isRunning = false;
  }
}

function replaceEnvironment(wanted: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, wanted);
}
