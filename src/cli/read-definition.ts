import type { Definition } from '../rules/index.ts';
import { readText } from './text-file.ts';

/** Reads a definition from a file the user named. Ends the command if it cannot be read or is not valid. */
export async function readDefinition(file: string): Promise<Definition> {
  const { parseDefinition } = await import('../rules/index.ts');
  return parseDefinition(await readText(file), { source: file });
}
