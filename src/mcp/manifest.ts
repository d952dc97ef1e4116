import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';

import { InvalidRequestError } from '../index.ts';

/**
 * Returns the path of a file below a folder. A model that was talked into it by a text of a stranger must not be able
 * to upload any file of the user.
 *
 * @throws {InvalidRequestError} if there is no such file, or if it lies elsewhere.
 */
export async function manifestIn(folder: string, path: string): Promise<string> {
  const root = await realpath(folder);
  const file = await realpath(resolve(root, path)).catch((cause: unknown) => {
    throw refuse('is not a file in the folder that the server was started in', cause);
  });
  const inside = relative(root, file);
  if (inside.startsWith('..') || isAbsolute(inside) || !file.endsWith('.json')) {
    throw refuse('must be a .json file in the folder that the server was started in');
  }
  return file;
}

function refuse(message: string, cause?: unknown): InvalidRequestError {
  return new InvalidRequestError('lineage_upload', [{ path: ['manifest_path'], message }], { cause });
}
