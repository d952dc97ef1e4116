import type { Format, TableFile } from './catalog.ts';
import type { Column } from './column-sql.ts';
import { identifier, literal } from './quote.ts';

// The dialect of a csv is fixed but for its separator: guessing the rest drops lines that begin with # and rows it
// takes for a preamble.
const csvDialect = `header = true, quote = '"', escape = '"', comment = '', skip = 0`;

const readers: Readonly<Record<Format, string>> = {
  csv: `read_csv(?, ${csvDialect})`,
  tsv: `read_csv(?, delim = '\\t', ${csvDialect})`,
  json: `read_json(?)`,
  ndjson: `read_json(?, format = 'newline_delimited')`,
  parquet: `read_parquet(?)`,
};

function reader({ format, path }: TableFile, ...options: readonly string[]): string {
  const call = readers[format];
  return [call.slice(0, -1), ...options].join(', ').replace('?', () => literal(path)) + ')';
}

/** Reads a file with the types that DuckDB finds in it, looking at all of its rows. */
export function inferredReading(file: TableFile): string {
  return file.format === 'parquet' ? reader(file) : reader(file, 'sample_size = -1');
}

/** Reads a file with the types that {@link inferredReading} has found, without looking for them again. */
export function typedReading(file: TableFile, columns: readonly Column[]): string {
  const types = `{${columns.map(({ name, type }) => `${identifier(name)}: ${literal(type)}`).join(', ')}}`;
  switch (file.format) {
    case 'parquet':
      return reader(file);
    case 'csv':
    case 'tsv':
      return reader(file, `types = ${types}`);
    case 'json':
    case 'ndjson':
      // Values that are no objects are read as one column, which can't be asked for by its name.
      return columns.length === 1 && columns[0]?.name === 'json'
        ? inferredReading(file)
        : reader(file, `columns = ${types}`);
  }
}

/**
 * Reads columns as the file writes them: the fields of a csv as text, so that 007 stays 007; the values of a json as
 * JSON, so that no text turns into a date; a parquet with its own types.
 */
export function literalReading(file: TableFile, columns: readonly string[]): string {
  switch (file.format) {
    case 'parquet':
      return reader(file);
    case 'csv':
    case 'tsv':
      return reader(file, 'all_varchar = true');
    case 'json':
    case 'ndjson':
      return reader(file, `columns = {${columns.map((name) => `${identifier(name)}: 'JSON'`).join(', ')}}`);
  }
}

/** Reads a file with the types that its first rows suggest. */
export function sampledReading(file: TableFile): string {
  return reader(file);
}

/** Reads a file for the names of its columns alone. */
export function headReading(file: TableFile): string {
  return file.format === 'csv' || file.format === 'tsv' ? literalReading(file, []) : inferredReading(file);
}

/** SQL of the 0-based row of the file, for the outermost SELECT over a reading. */
export function rowNumber(file: TableFile, columns: readonly string[]): string {
  const counted = file.format === 'parquet' && !columns.includes('file_row_number');
  return counted ? 'file_row_number' : 'row_number() OVER () - 1';
}
