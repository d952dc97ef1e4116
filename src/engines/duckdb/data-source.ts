import { findColumn } from '../find-column.ts';
import type { TableFile } from './catalog.ts';
import { type ColumnSql, sharedColumn, type SourceColumn } from './column-sql.ts';
import type { Queries } from './engine.ts';
import { ownNames } from './own-name.ts';
import { identifier } from './quote.ts';
import type { Reading } from './reading.ts';
import { mergeSteps, type View } from './view.ts';
import type { TableFinder, Tables } from './tables.ts';

/** What rules, metrics and freshness are computed over. */
export interface DataSource<Computing extends Queries = Queries> {
  readonly engine: Computing;
  readonly finder: TableFinder;
  /** Absolute path of the data folder. */
  readonly folder: string;
}

/** Columns of a table as its file writes them, and what to read them from. */
export interface LiteralColumns {
  /** The table as the SQL of these columns sees it. */
  readonly view: View;
  /** The same, with the 0-based row of the file. */
  readonly countedView: View;
  /** SQL of that row. */
  readonly row: string;
  /** In the order in which they were requested. */
  readonly columns: readonly ColumnSql[];
}

/** Opens columns of a table; throws a `QueryError` if one is missing. */
export async function openColumns(
  { finder }: DataSource,
  tables: Tables,
  file: TableFile,
  names: readonly string[],
): Promise<LiteralColumns> {
  const table = await finder.open(tables, file);
  const found = names.map((name) => findColumn(file.tablePath, table.columns, name));
  const reading = found.length === 0 ? table.rowReading : table.literalReading;
  const ownName = ownNames(table.columns);
  const shared = found.map((column) => sharedColumn(literalColumn(file, column), ownName));
  const used = new Map(shared.flatMap((column) => [...column.columns]));
  const steps = mergeSteps(shared.map((column) => column.steps));
  const view = { reading: reading.sql, name: file.name, columns: used, steps, textBytes: table.textBytes };
  const row = identifier(ownName('row'));
  return {
    view,
    countedView: { ...view, reading: countedReading(reading, row), textBytes: undefined },
    row,
    columns: shared.map(({ sql }) => sql),
  };
}

/** A column as the literal reading of its file gives it. */
export function literalColumn({ format }: TableFile, column: SourceColumn): SourceColumn {
  return format === 'json' || format === 'ndjson' ? { ...column, type: 'JSON' } : column;
}

/** Adds the 0-based row of the file to a reading, by a name. */
export function countedReading({ sql, row }: Reading, name: string): string {
  // The row of a parquet comes with the file, if it is requested there.
  return `(SELECT *, ${row} AS ${name} FROM ${sql})`;
}
