import { CliError } from './cli-error.ts';
import { confirm } from './confirm.ts';
import { exitCode } from '../judgement/exit-code.ts';
import type { Session } from './session.ts';
import { print } from './terminal.ts';

/** What a command deletes, and how. */
export interface Deletion<Item> {
  /** Such as `rule`. */
  readonly kind: string;
  /** What goes with each of them, such as `results`. */
  readonly history: string;
  readonly ids: readonly string[];
  readonly find: (id: string) => Promise<Item>;
  /** Whether an error says that it does not exist. */
  readonly isMissing: (error: unknown) => boolean;
  readonly remove: (item: Item) => PromiseLike<unknown>;
  readonly idOf: (item: Item) => string;
  readonly describe: (item: Item) => string;
}

/** Flags of a command that deletes. */
export interface DeletionFlags {
  readonly json?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** Deletes what is named, all or nothing: everything is looked up and confirmed first. Prints what is gone. */
export async function deleteAll<Item>(
  session: Session,
  deletion: Deletion<Item>,
  { json, yes }: DeletionFlags,
): Promise<void> {
  const { kind, history, remove, idOf, describe } = deletion;
  const items = await findAll(deletion);
  const what =
    items.length === 1
      ? `this ${kind} and its ${history}`
      : `these ${items.length} ${kind}s and their ${history}`;
  await confirm(`${items.map(describe).join('\n')}\nDelete ${what}?`, yes, session.signal);
  const deleted: Item[] = [];
  try {
    for (const item of items) {
      await remove(item);
      deleted.push(item);
      session.progress = `deleted ${deleted.map(idOf).join(', ')}`;
    }
  } finally {
    // Also if one could not be deleted: what is gone must be known.
    if (deleted.length > 0) {
      print(json, { deleted: deleted.map(idOf) }, () =>
        deleted.map((item) => `Deleted ${describe(item)}`).join('\n'),
      );
    }
  }
}

/** Finds what is named before anything is changed. Ends the command with every id that was not found. */
async function findAll<Item>({ kind, ids, find, isMissing }: Deletion<Item>): Promise<readonly Item[]> {
  const missing: string[] = [];
  const found: Item[] = [];
  for (const id of new Set(ids)) {
    try {
      found.push(await find(id));
    } catch (error) {
      if (!isMissing(error)) throw error;
      missing.push(id);
    }
  }
  if (missing.length === 0) return found;
  const plural = missing.length > 1;
  throw new CliError(
    exitCode.notFound,
    `No ${kind}${plural ? 's' : ''} ${missing.join(', ')}. Nothing was deleted.`,
  );
}
