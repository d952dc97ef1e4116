import { readFile, writeFile } from 'node:fs/promises';

import { CliError } from './cli-error.ts';
import { exitCode } from '../judgement/exit-code.ts';

/** Reads a file the user named. Ends the command if it can't be read. */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CliError(exitCode.usage, `${path} can't be read: ${(cause as Error).message}`, { cause });
  }
}

/** Writes a file the user named. Ends the command if it can't be written. */
export async function writeText(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (cause) {
    throw new CliError(exitCode.usage, `${path} can't be written: ${(cause as Error).message}`, { cause });
  }
}
