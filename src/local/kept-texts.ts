import { join } from 'node:path';

import type { State } from '../server/state.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

/** Texts that a service keeps beside its tables: keys that it made, and what its user has allowed. */
export interface KeptTexts {
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
  /** Returns the text that is kept; if there is none, the one that `make` returns, which is kept from now on. */
  readOrKeep(name: string, make: () => string): Promise<string>;
  /** Where a text is kept, for people. */
  placeOf(name: string): string;
}

/** Keeps texts as files of a folder, for its user alone to read. */
export function textsInFolder(folder: string): KeptTexts {
  const placeOf = (name: string) => join(folder, name);
  const read = async (name: string) => readPrivateFile(placeOf(name));
  const write = async (name: string, text: string) => writePrivateFile(placeOf(name), text);
  return {
    read,
    write,
    async readOrKeep(name, make) {
      const kept = await read(name);
      if (kept !== undefined) return kept;
      const made = make();
      await write(name, made);
      return made;
    },
    placeOf,
  };
}

/** Keeps texts in a state that several processes share: what one of them has made, all of them use. */
export function textsInState(state: State): KeptTexts {
  const find = 'SELECT "value" FROM settings WHERE name = $1';
  const insert = 'INSERT INTO settings VALUES ($1, $2)';
  return {
    async read(name) {
      const [row] = await state.run(find, name);
      return row === undefined ? undefined : String(row[0]);
    },
    write: async (name, text) =>
      state.transaction(async (run) => {
        await run('DELETE FROM settings WHERE name = $1', name);
        await run(insert, name, text);
      }),
    readOrKeep: async (name, make) =>
      state.transaction(async (run) => {
        const [row] = await run(find, name);
        if (row !== undefined) return String(row[0]);
        const made = make();
        await run(insert, name, made);
        return made;
      }),
    placeOf: (name) => `The row ${name} of the table settings`,
  };
}
