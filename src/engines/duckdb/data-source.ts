import type { TableFile } from './catalog.ts';
import { type ColumnSql, columnSql } from './column-sql.ts';
import type { Engine } from './engine.ts';
import { literalReading } from './reading.ts';
import { findColumn, type TableFinder, type Tables } from './tables.ts';

/** What rules, metrics and freshness are computed over. */
export interface DataSource {
  readonly engine: Engine;
  readonly finder: TableFinder;
  /** Absolute path of the data folder. */
  readonly folder: string;
}

/** Columns of a table as its file writes them, and what to read them from. */
export interface LiteralColumns {
  readonly reading: string;
  /** In the order they were asked for. */
  readonly columns: readonly ColumnSql[];
  /** Names of all columns of the table. */
  readonly known: readonly string[];
}

/** Opens columns of a table; throws a `QueryError` where one is missing. */
export async function openColumns(
  { finder }: DataSource,
  tables: Tables,
  file: TableFile,
  names: readonly string[],
): Promise<LiteralColumns> {
  const known = await finder.columns(tables, file);
  const found = names.map((name) => findColumn(file, known, name));
  const isJson = file.format === 'json' || file.format === 'ndjson';
  return {
    reading: literalReading(file, [...new Set(found.map(({ name }) => name))]),
    columns: found.map((column) => columnSql(isJson ? { ...column, type: 'JSON' } : column)),
    known: known.map(({ name }) => name),
  };
}
