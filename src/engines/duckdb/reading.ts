import type { TableFile } from './catalog.ts';
import type { SourceColumn } from './column-sql.ts';
import type { CsvShape } from './file-head.ts';
import { identifier, literal } from './quote.ts';

/** A path as DuckDB's readers take it: a name with `*`, `?` or `[` would be a pattern of other files too. */
export function pathPattern(path: string): string {
  // In a pattern, a backslash is an escape as well.
  return /[*?[]/.test(path) ? path.replaceAll(/[*?[]/g, '[$&]').replaceAll('\\', '\\\\') : path;
}

function call(reader: string, { path }: TableFile, options: readonly string[]): string {
  // Folders such as `year=2024` are schemas, not columns.
  return `${reader}(${[literal(pathPattern(path)), 'hive_partitioning = false', ...options].join(', ')})`;
}

function isJson({ format }: TableFile): boolean {
  return format === 'json' || format === 'ndjson';
}

function jsonFormat({ format }: TableFile): string {
  return `format = '${format === 'ndjson' ? 'newline_delimited' : 'auto'}'`;
}

// Nothing but the separator is guessed: guessing drops lines that begin with # and rows it takes for a preamble.
const csvDialect = [`header = true`, `quote = '"'`, `escape = '"'`, `comment = ''`];

/** Reads a csv, each field as text, exactly in its shape: a row of another length is an error. */
export function csvReading(
  file: TableFile,
  { separator, blankLines }: CsvShape,
  columns: readonly SourceColumn[],
): string {
  const names = columns.map(({ readAs }) => `${literal(readAs)}: 'VARCHAR'`);
  return call('read_csv', file, [
    'auto_detect = false',
    ...csvDialect,
    `delim = ${literal(separator)}`,
    `skip = ${blankLines}`,
    `columns = {${names.join(', ')}}`,
  ]);
}

/** Reads a csv with the types that its first rows suggest. */
export function sampledCsvReading(
  file: TableFile,
  shape: CsvShape,
  columns: readonly SourceColumn[],
): string {
  return call('read_csv', file, [
    ...csvDialect,
    // No file has this character, so that there is one column.
    `delim = ${shape.separator === '' ? `'\u001f'` : literal(shape.separator)}`,
    `skip = ${shape.blankLines}`,
    `names = [${columns.map(({ readAs }) => literal(readAs)).join(', ')}]`,
  ]);
}

/** Reads a JSON or parquet file with its own types, looking at all of its rows. */
export function inferredReading(file: TableFile): string {
  return isJson(file)
    ? call('read_json', file, [jsonFormat(file), 'sample_size = -1'])
    : call('read_parquet', file, []);
}

/** Reads a JSON or parquet file with the types that its first rows suggest. */
export function sampledReading(file: TableFile): string {
  return isJson(file) ? call('read_json', file, [jsonFormat(file)]) : call('read_parquet', file, []);
}

/** Reads a JSON file with types that {@link inferredReading} has found, without looking for them again. */
export function typedJsonReading(file: TableFile, columns: readonly SourceColumn[]): string {
  // Values that are not objects are read as one column, which cannot be requested by its name.
  if (columns.length === 1 && columns[0]?.name === 'json') return inferredReading(file);
  const types = columns.map(({ name, type }) => `${identifier(name)}: ${literal(type)}`);
  return call('read_json', file, [jsonFormat(file), `columns = {${types.join(', ')}}`]);
}

/** Reads columns of a JSON file as JSON, so that no text turns into a date. */
export function jsonReading(file: TableFile, columns: readonly SourceColumn[]): string {
  if (columns.every(({ name, readAs }) => name === readAs)) {
    const types = columns.map(({ name }) => `${identifier(name)}: 'JSON'`);
    return call('read_json', file, [jsonFormat(file), `columns = {${types.join(', ')}}`]);
  }
  // The reader cannot keep two names that differ only in case, a JSON path can.
  const values = columns.map(({ name, readAs }) => {
    const path = literal(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    return `nullif((json -> ${path})::VARCHAR, 'null')::JSON AS ${identifier(readAs)}`;
  });
  return `(SELECT ${values.join(', ')} FROM ${call('read_json_objects', file, [jsonFormat(file)])})`;
}

/** Reads the objects of a JSON file whole. */
export function jsonObjectsReading(file: TableFile): string {
  return call('read_json_objects', file, [jsonFormat(file)]);
}

/** Reads the schema of a parquet file. */
export function parquetSchemaReading({ path }: TableFile): string {
  return `parquet_schema(${literal(pathPattern(path))})`;
}

/** What a FROM clause reads. */
export interface Reading {
  /** The FROM clause. */
  readonly sql: string;
  /** SQL of the 0-based row of the file, for the outermost SELECT over it. */
  readonly row: string;
  /** Whether it parses text. */
  readonly isText: boolean;
}

/** The FROM clause of a file, with the number of its rows. */
export function readingOf({ format }: TableFile, sql: string, columns: readonly SourceColumn[]): Reading {
  const isText = format !== 'parquet';
  return { sql, row: isText ? countedRow : parquetRow(columns), isText };
}

/** Reads the parquet that was made from the text of a file. */
export function keptReading(path: string, columns: readonly SourceColumn[]): Reading {
  const sql = `read_parquet(${literal(pathPattern(path))}, hive_partitioning = false)`;
  return { sql, row: parquetRow(columns), isText: false };
}

const countedRow = 'row_number() OVER () - 1';

/** A parquet knows the number of each row, unless a column has taken its name. */
function parquetRow(columns: readonly SourceColumn[]): string {
  const isTaken = columns.some(({ readAs }) => readAs.toLowerCase() === 'file_row_number');
  return isTaken ? countedRow : 'file_row_number';
}
