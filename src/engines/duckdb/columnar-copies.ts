import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, statfs, utimes } from 'node:fs/promises';
import { join } from 'node:path';

import type { QueryError } from '../query-error.ts';
import type { TableFile } from './catalog.ts';
import { type FileStamp, stampOf } from './file-stamp.ts';
import { literal } from './quote.ts';
import { pathPattern } from './reading.ts';

/** How copies are kept. */
export interface ColumnarCopiesOptions {
  /** Folder of the copies; nothing else may use it. */
  readonly folder: string;
  /**
   * Bytes below which a file has no copy, because it is read quickly.
   * @default 16 MiB
   */
  readonly smallest?: number;
  /**
   * Milliseconds after the first reading of a file from which another one begins a copy.
   * @default 10_000
   */
  readonly again?: number;
  /**
   * Milliseconds a file must not have been written to before it is copied: a change within the resolution of its time
   * would not be noticed.
   * @default 2000
   */
  readonly settled?: number;
  /**
   * Bytes that all copies may take together.
   * @default 10 GiB
   */
  readonly most?: number;
}

/** Runs a statement that may read some files and write to the folder of the copies. */
export type WriteCopy = (files: readonly string[], sql: string) => Promise<void>;

/** A file that was read as text. */
interface ReadAsText {
  readonly copy: string;
  readonly since: number;
  isTried: boolean;
}

/** Milliseconds for which a copy stays after it was used: a query may be about to read it. */
const inUse = 10 * 60_000;

/** Milliseconds after which a copy that nobody used is deleted. */
const longestUnused = 7 * 24 * 3_600_000;

/** Milliseconds after which the use of a copy is noted again. */
const notePause = 60_000;

/** The part of the free space of the disk that one copy may take. */
const partOfFree = 0.1;

const extension = '.parquet';
const unfinished = '.part';
const copyName = /[0-9a-f]{32}-[0-9a-f]{32}\.parquet/u;

/**
 * Copies of text files as parquet, which are read several times as fast. A file has one as soon as it is read again and
 * stays as it is; a copy is used only for the file, in the state, that it was made from. They outlast the service.
 */
export class ColumnarCopies {
  readonly #options: Required<ColumnarCopiesOptions>;
  readonly #write: WriteCopy;
  readonly #read = new Map<string, ReadAsText>();
  #writing: Promise<void> | undefined;

  constructor(options: ColumnarCopiesOptions, write: WriteCopy) {
    this.#options = { smallest: 16 * 2 ** 20, again: 10_000, settled: 2000, most: 10 * 2 ** 30, ...options };
    this.#write = write;
  }

  /**
   * Returns the path of the copy of what a FROM clause reads of a file; without one undefined, and if the file was read
   * before, a copy is begun.
   */
  async find(file: TableFile, reading: string): Promise<string | undefined> {
    const stamp = await stampOf(file);
    if (stamp.size < this.#options.smallest) return undefined;
    const name = `${digest(file.path)}-${digest(JSON.stringify([stamp.text, reading]))}${extension}`;
    const copy = join(this.#options.folder, name);
    if (await isUsable(copy)) return copy;
    const read = this.#read.get(file.path);
    if (read?.copy !== copy) {
      this.#read.set(file.path, { copy, since: performance.now(), isTried: false });
      return undefined;
    }
    const isDue = performance.now() - read.since >= this.#options.again;
    const isSettled = Date.now() - stamp.modifiedAt >= this.#options.settled;
    if (isDue && isSettled && !read.isTried && this.#writing === undefined) {
      read.isTried = true;
      this.#writing = this.#copy(file, stamp, reading, copy).finally(() => (this.#writing = undefined));
    }
    return undefined;
  }

  /**
   * Deletes the copy that an error is about, because it is gone or cannot be read; false if the error is not about one.
   * Without the copy, the file itself is read.
   */
  async discardFailed(error: QueryError): Promise<boolean> {
    const said = error.cause instanceof Error ? error.cause.message : error.message;
    const [name] = copyName.exec(said) ?? [];
    if (name === undefined) return false;
    await rm(join(this.#options.folder, name), { force: true });
    return true;
  }

  /** Resolves when no copy is being written. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  /** Copies a file. Without a copy, the file itself is read: whatever fails here fails nothing else. */
  async #copy(file: TableFile, stamp: FileStamp, reading: string, copy: string): Promise<void> {
    const part = copy + unfinished;
    try {
      await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
      if (!(await this.#makeRoom(stamp.size))) return;
      const sql = `COPY (FROM ${reading}) TO ${literal(part)} (FORMAT parquet)`;
      await this.#write([file.path, pathPattern(file.path)], sql);
      const { text } = await stampOf(file);
      if (text !== stamp.text) return;
      await sync(part);
      await rename(part, copy);
    } catch {
      // A file that cannot be read has no copy; what is wrong with it, its next check says.
    } finally {
      await rm(part, { force: true });
    }
  }

  /** Deletes what nobody needs, and what was not used for the longest time if there is too much; false if it stays too much. */
  async #makeRoom(size: number): Promise<boolean> {
    const { folder, most } = this.#options;
    const { bavail, bsize } = await statfs(folder);
    if (size > bavail * bsize * partOfFree) return false;
    const current = new Set([...this.#read.values()].map(({ copy }) => copy));
    const found = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        const path = join(folder, name);
        const { size: bytes, mtimeMs } = await stat(path);
        return { path, bytes, unused: Date.now() - mtimeMs };
      }),
    );
    let total = size;
    for (const { path, bytes, unused } of found.toSorted((a, b) => a.unused - b.unused)) {
      const isOutdated = path.endsWith(unfinished) || (this.#isSuperseded(path) && !current.has(path));
      const isTooMuch = total + bytes > most;
      if (unused > inUse && (isOutdated || isTooMuch || unused > longestUnused))
        await rm(path, { force: true });
      else total += bytes;
    }
    return total <= most;
  }

  /** Whether a copy belongs to a file that has another one, or will have. */
  #isSuperseded(path: string): boolean {
    const prefix = path.slice(0, path.lastIndexOf('-') + 1);
    return [...this.#read.values()].some(({ copy }) => copy !== path && copy.startsWith(prefix));
  }
}

/** Whether there is a copy; if so, notes that it is used. */
async function isUsable(copy: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(copy);
    const now = Date.now();
    if (now - mtimeMs > notePause) await utimes(copy, now / 1000, now / 1000);
    return true;
  } catch {
    return false;
  }
}

/** Makes sure that a file is whole on disk before it gets its name. */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
