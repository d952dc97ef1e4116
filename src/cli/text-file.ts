import { readFile, writeFile } from 'node:fs/promises';

import { CliError } from './cli-error.ts';
import { exitCode } from '../judgement/exit-code.ts';

/** The name of standard output where a file could be named. */
export const standardOutput = '-';

/** Reads a file the user named. Ends the command if it cannot be read. */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CliError(exitCode.usage, `${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** Writes a file the user named, as it is; `-` is standard output. Ends the command if it cannot be written. */
export async function writeText(path: string, text: string): Promise<void> {
  if (path === standardOutput) {
    process.stdout.write(text);
    return;
  }
  try {
    await writeFile(path, text);
  } catch (cause) {
    throw new CliError(exitCode.usage, `${path} cannot be written: ${(cause as Error).message}`, { cause });
  }
}

/** Ends the command if two outputs would mix on standard output; `paths` are those of `--output`. */
export function refuseTwoOutputs(json: boolean | undefined, paths: readonly string[]): void {
  const onStandardOutput = paths.filter((path) => path === standardOutput).length;
  if (onStandardOutput === 0 || (onStandardOutput === 1 && json !== true)) return;
  const given = json === true ? '--json and --output … -' : 'Several --output … -';
  throw new CliError(exitCode.usage, `${given} would mix on standard output. Write one of them to a file.`);
}
