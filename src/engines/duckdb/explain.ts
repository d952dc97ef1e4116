import { shortReason } from '../reasons.ts';
import type { TableFile } from './catalog.ts';
import type { Queries } from './engine.ts';
import { QueryError } from '../query-error.ts';
import type { Rows, Value } from './protocol.ts';
import type { Tables } from './tables.ts';
import type { View } from './view.ts';

/** What DuckDB says of a file, and the sentence that a user reads instead: without paths, and without data. */
const sentences: readonly (readonly [RegExp, (match: readonly string[]) => string])[] = [
  [
    /CSV Error on Line: (\d+)[^]*Expected Number of Columns: (\d+) Found: (\d+)/,
    ([, line, expected, found]) =>
      `line ${line} has ${found} ${found === '1' ? 'field' : 'fields'} instead of ${expected}`,
  ],
  [
    /CSV Error on Line: (\d+)[^]*unterminated quote/,
    ([, line]) =>
      `line ${line} has a quote that is not closed, or the lines of the file end in different ways`,
  ],
  [/CSV Error on Line: (\d+)[^]*Maximum line size/, ([, line]) => `line ${line} is longer than 2 MB`],
  [/not utf-8|Invalid unicode|invalid UTF-?8|encoding/i, () => 'it is not encoded as UTF-8'],
  [/CSV Error on Line: (\d+)/, ([, line]) => `line ${line} is malformed or longer than 2 MB`],
  [
    /state machine reached an invalid state|Error when sniffing file/,
    () => 'its lines end in different ways (CRLF and LF), or a quote is not closed',
  ],
  [
    /Malformed JSON[^]*?at byte (\d+) (?:in|of) [^\d]*(\d+)/,
    ([, byte, record]) => `malformed JSON at byte ${byte} of record ${record}`,
  ],
  [/Malformed JSON/, () => 'it is not valid JSON'],
  [/maximum_object_size/, () => 'an object in it is too large to read'],
  [/JSON transform error[^]*Expected OBJECT/i, () => 'its values are not all objects'],
  [
    /magic bytes|too small to be a Parquet|Parquet file|metadata|footer/i,
    () => 'it is not a readable parquet file',
  ],
];

/** Runs a query about a file; throws a {@link QueryError} whose message names the table and what is wrong with it. */
export async function askAbout(engine: Queries, tables: Tables, file: TableFile, sql: string): Promise<Rows> {
  return namingFile(file, async () => engine.query(tables.files, sql));
}

/** Computes aggregates over a view of a file, maybe together with others; throws as {@link askAbout} does. */
export async function computeAbout(
  engine: Queries,
  tables: Tables,
  file: TableFile,
  view: View,
  aggregates: readonly string[],
): Promise<readonly Value[]> {
  return namingFile(file, async () => engine.aggregate(tables.files, view, aggregates));
}

async function namingFile<Result>(file: TableFile, task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    // The cause is what DuckDB said, at its full length.
    const said = error.cause instanceof Error ? error.cause.message : error.message;
    const { cause, overran } = error;
    throw new QueryError(reasonOf(file, said, error.message), { cause, overran });
  }
}

function reasonOf({ tablePath }: TableFile, said: string, message: string): string {
  for (const [pattern, sentence] of sentences) {
    const match = pattern.exec(said);
    if (match !== null) return `${tablePath} cannot be read: ${sentence(match)}`;
  }
  return plainReason(message);
}

/** A reason of DuckDB without its kind, absolute paths and the values it met. */
function plainReason(message: string): string {
  const line = message.replace(/^(?:[A-Z]\w+ )+Error: /u, '');
  const isAboutData = /^(?:Conversion|Invalid Input|Out of Range)/u.test(message);
  const withoutPaths = line.replaceAll(/(["'])(?:[A-Za-z]:)?[\\/][^"']*\1/gu, 'a file');
  return shortReason(isAboutData ? withoutPaths.replaceAll(/"[^"]*"|'[^']*'/gu, 'a value') : withoutPaths);
}
