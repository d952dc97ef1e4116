import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import type { TableFile } from './catalog.ts';
import { QueryError } from '../query-error.ts';

/** How the lines of a csv are read: found once, from its first lines, so that no later line can change it. */
export interface CsvShape {
  /** Empty for a file of one column. */
  readonly separator: string;
  /** Blank lines above the header. */
  readonly blankLines: number;
  /** The names of the header, as they are written. */
  readonly header: readonly string[];
  /** The fields of the first rows below the header. */
  readonly firstRows: readonly (readonly string[])[];
}

// The longest line that DuckDB reads.
const longestHead = 2_000_000;
const separators = [',', ';', '\t', '|'];
const comparedRecords = 100;

/** Finds the shape of a csv: its separator is the one of the header with which most of the first records agree. */
export async function readCsvShape(file: TableFile): Promise<CsvShape> {
  const text = decode(file, await readHead(file));
  const blankLines = /^(?:[\r\n]+)/.exec(text)?.[0].match(/\r\n|\r|\n/g)?.length ?? 0;
  const candidates = (file.format === 'tsv' ? ['\t'] : separators).map((separator) => {
    const records = readRecords(text, separator, comparedRecords);
    const header = records[0] ?? [];
    const agreeing = records.filter(({ length }) => length === header.length).length;
    return { separator, header, agreeing, firstRows: records.slice(1) };
  });
  const [best] = candidates
    .filter(({ header }) => header.length > 1)
    .toSorted((a, b) => b.agreeing - a.agreeing || b.header.length - a.header.length);
  const { separator, header, firstRows } = best ?? oneColumn(readRecords(text, '', comparedRecords));
  if (header.length === 0) throw new QueryError(`${file.tablePath} is empty: a csv begins with a header`);
  return { separator, blankLines, header, firstRows };
}

function oneColumn([header = [], ...firstRows]: readonly (readonly string[])[]) {
  return { separator: '', header, firstRows };
}

/** Throws a {@link QueryError} if a JSON file begins with a byte order mark, which DuckDB takes for a value. */
export async function assertPlainJson(file: TableFile): Promise<void> {
  const head = await readHead(file, 3);
  if (head.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) {
    throw new QueryError(
      `${file.tablePath} begins with a byte order mark, which JSON does not allow: save it as UTF-8 without one`,
    );
  }
}

/** Throws a {@link QueryError} if a gzip breaks off or is damaged: DuckDB reads what there is and reports nothing. */
export async function assertWholeGzip(file: TableFile): Promise<void> {
  try {
    await pipeline(createReadStream(file.path), createGunzip(), async (chunks) => {
      for await (const chunk of chunks) void chunk;
    });
  } catch (error) {
    const isShort = error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR';
    throw new QueryError(
      `${file.tablePath} is ${isShort ? 'a gzip file that breaks off' : 'not a readable gzip file'}`,
      { cause: error },
    );
  }
}

async function readHead(file: TableFile, bytes = longestHead): Promise<Buffer> {
  const source = createReadStream(file.path, file.isPacked ? {} : { end: bytes - 1 });
  const stream = file.isPacked ? source.pipe(createGunzip()) : source;
  source.on('error', (error) => stream.destroy(error));
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size >= bytes) break;
    }
  } catch (error) {
    throw new QueryError(`${file.tablePath} cannot be read`, { cause: error });
  } finally {
    source.destroy();
  }
  return Buffer.concat(chunks).subarray(0, bytes);
}

function decode(file: TableFile, head: Buffer): string {
  try {
    // As a stream, so that a character that the head cuts in two is not an error.
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
  } catch (error) {
    throw new QueryError(`${file.tablePath} is not encoded as UTF-8`, { cause: error });
  }
}

/** Reads the first records of a csv (RFC 4180, with any line end). */
function readRecords(text: string, separator: string, most: number): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (let at = 0; at < text.length && records.length < most;) {
    const { value, end } = readField(text, separator, at);
    const isSeparator = separator !== '' && text[end] === separator;
    // A blank line has no fields.
    if (isSeparator || record.length > 0 || end > at) record.push(value);
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
    if (isSeparator && at < text.length) continue;
    if (record.length > 0) records.push(record);
    record = [];
  }
  return records;
}

function readField(text: string, separator: string, at: number): { value: string; end: number } {
  const ends = (end: number) =>
    end >= text.length || '\r\n'.includes(text[end] ?? '') || text[end] === separator;
  if (text[at] === '"') {
    let closing = text.indexOf('"', at + 1);
    while (closing !== -1 && text[closing + 1] === '"') closing = text.indexOf('"', closing + 2);
    const end = closing === -1 ? text.length : closing + 1;
    if (ends(end)) return { value: text.slice(at + 1, Math.max(at + 1, closing)).replaceAll('""', '"'), end };
  }
  let end = at;
  while (!ends(end)) end += 1;
  return { value: text.slice(at, end), end };
}
