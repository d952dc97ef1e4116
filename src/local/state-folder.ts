import { createHash } from 'node:crypto';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';

import { ConfigurationError } from '../errors/configuration-error.ts';

/**
 * The folder that keeps the state of a data folder if none is named: one per data folder, among the user's own files.
 * It is never in the data folder, which may have been made by somebody else.
 *
 * @throws ConfigurationError if the data folder contains a state: it is not read unless it is named.
 */
export async function defaultStateFolder(data: string): Promise<string> {
  const name = basename(data).replaceAll(/[^\w.-]+/g, '-') || 'data';
  const folder = join(userStateFolder(), 'data-quality', `${name}-${digest(data)}`);
  const old = join(data, '.data-quality');
  if (await exists(join(old, 'state.duckdb'))) {
    throw new ConfigurationError(
      `The data folder contains a state, ${old}, which is not read: the author of the folder may have written it. If it is yours, move it to ${folder}; if not, delete it.`,
    );
  }
  return folder;
}

/** The folder that keeps the state of sources without a data folder if none is named: one per set of their names. */
export function defaultSourcesStateFolder(names: readonly string[]): string {
  const sorted = names.toSorted();
  const name = sorted
    .join('-')
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 100);
  return join(userStateFolder(), 'data-quality', `${name}-${digest(JSON.stringify(sorted))}`);
}

/** Where programs keep the state of a user: by the XDG base directories, or the platform's own custom. */
function userStateFolder(): string {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  if (xdg !== undefined && isAbsolute(xdg)) return xdg;
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  if (process.platform === 'win32') return local ?? join(homedir(), 'AppData', 'Local');
  return join(homedir(), '.local', 'state');
}

function digest(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
