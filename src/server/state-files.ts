import { chmod, cp, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of a state: the database and its write-ahead log, with what was written last. */
const names = ['state.duckdb', 'state.duckdb.wal'] as const;

/** A copy of this many bytes takes no time that anybody would notice. */
const mostCopied = 256 * 1024 * 1024;

/** Where a state lies. */
export class StateFiles {
  readonly folder: string;
  /** Path of the database. */
  readonly database: string;
  /** Folder of the copy that was made at the last start that went well. */
  readonly lastGood: string;

  constructor(folder: string) {
    this.folder = folder;
    this.database = join(folder, names[0]);
    this.lastGood = join(folder, 'last-good');
  }

  /** Makes the folder, which nobody but its user may enter. */
  async prepare(): Promise<void> {
    const made = await mkdir(this.folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) await chmod(this.folder, 0o700);
  }

  /**
   * Returns what is wrong with the files, as far as DuckDB would not report it: it takes a broken write-ahead log for
   * one whose last entry was cut off, and goes on without the rest.
   *
   * Call it before the database is opened: closing a file gives up the locks that the process has on it.
   */
  async problem(): Promise<string | undefined> {
    const header = await firstBytes(this.database, 12);
    // Other kinds of database are opened with an extension, which is not ours to load.
    if (header !== undefined && header.subarray(8, 12).toString() !== 'DUCK') {
      return `${names[0]} is not a DuckDB database`;
    }
    const log = await contentOf(join(this.folder, names[1]));
    return log !== undefined && losesCommits(log) ? `${names[1]} is damaged` : undefined;
  }

  /** Copies the files, unless they are large; the copy counts once {@link Copy.keep} is called. */
  async copy(): Promise<Copy> {
    const draft = join(this.folder, 'last-good.new');
    await rm(draft, { recursive: true, force: true });
    const sizes = await Promise.all(names.map(async (name) => sizeOf(join(this.folder, name))));
    const isSmall = sizes.reduce((sum: number, size) => sum + (size ?? 0), 0) <= mostCopied;
    const hasCopy = isSmall && sizes[0] !== undefined;
    if (hasCopy) {
      await mkdir(draft, { mode: 0o700 });
      for (const [at, name] of names.entries()) {
        if (sizes[at] !== undefined) await cp(join(this.folder, name), join(draft, name));
      }
    }
    return {
      keep: async () => {
        if (!hasCopy) return;
        await rm(this.lastGood, { recursive: true, force: true });
        await rename(draft, this.lastGood);
      },
      discard: async () => rm(draft, { recursive: true, force: true }),
    };
  }

  /** How to get back a state that works. */
  async advice(): Promise<string> {
    const remedy = `To begin with an empty state, move ${this.folder} away.`;
    if ((await sizeOf(join(this.lastGood, names[0]))) === undefined) return remedy;
    return `To go back to the last good start, delete ${names.join(' and ')} there and move the files of last-good in their place. ${remedy}`;
  }
}

/** A copy of a state that may yet turn out to be a bad one. */
export interface Copy {
  keep(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * Whether a write-ahead log has a committed transaction behind what can be read of it. Entries follow each other as
 * their length, a checksum and that many bytes, after a header that ends in `ff ff`.
 */
export function losesCommits(log: Buffer): boolean {
  const header = log.indexOf('ffff', 0, 'hex');
  if (header === -1 || header > longestHeader) return log.length >= 16;
  // An identifier in the header may contain the same two bytes.
  for (
    let start = header;
    start !== -1 && start <= longestHeader;
    start = log.indexOf('ffff', start + 1, 'hex')
  ) {
    if (!hasLostCommit(log, start + 2)) return false;
  }
  return true;
}

function hasLostCommit(log: Buffer, start: number): boolean {
  let at = start;
  while (at + 16 <= log.length) {
    const length = log.readBigUInt64LE(at);
    if (length === 0n) return true;
    if (length > BigInt(log.length - at - 16)) break;
    at += 16 + Number(length);
  }
  // Cut off by a kill, it contains no commit: that would have been written last.
  for (
    let commit = log.indexOf(commitEntry, at);
    commit !== -1;
    commit = log.indexOf(commitEntry, commit + 1)
  ) {
    if (log.subarray(commit + 16, commit + 16 + committed.length).equals(committed)) return true;
  }
  return false;
}

/** Bytes before the first entry of a write-ahead log, with or without the identifier of its database. */
const longestHeader = 48;

/** Length and content of the entry that ends a transaction. */
const commitEntry = Buffer.from('0500000000000000', 'hex');
const committed = Buffer.from('640064ffff', 'hex');

async function firstBytes(path: string, count: number): Promise<Buffer | undefined> {
  const file = await unlessAbsent(open(path));
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function contentOf(path: string): Promise<Buffer | undefined> {
  return unlessAbsent(readFile(path));
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await unlessAbsent(stat(path)))?.size;
}

async function unlessAbsent<Value>(task: Promise<Value>): Promise<Value | undefined> {
  try {
    return await task;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
