import { stat } from 'node:fs/promises';

import { QueryError } from '../query-error.ts';
import type { TableFile } from './catalog.ts';

/** What changes whenever a file does. */
export interface FileStamp {
  /** Equal for the same file in the same state. */
  readonly text: string;
  /** Bytes. */
  readonly size: number;
  /** When it was last written to, in ms since 1970. */
  readonly modifiedAt: number;
}

/** Reads the stamp of a file; throws a {@link QueryError} if there is none. */
export async function stampOf(file: TableFile): Promise<FileStamp> {
  try {
    const { mtimeNs, ctimeNs, size, ino } = await stat(file.path, { bigint: true });
    const modifiedAt = Number(mtimeNs / 1_000_000n);
    return { text: [mtimeNs, ctimeNs, size, ino].join(':'), size: Number(size), modifiedAt };
  } catch (error) {
    throw new QueryError(`${file.tablePath} cannot be read: its file is gone or not permitted`, {
      cause: error,
    });
  }
}
