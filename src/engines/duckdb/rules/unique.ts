import type { ColumnSql } from '../column-sql.ts';
import { type View, viewSql } from '../view.ts';

/** What a UNIQUE check reads. */
export interface UniqueChecked {
  readonly view: View;
  /** The same, with the 0-based row of the file. */
  readonly countedView: View;
  /** SQL of that row. */
  readonly row: string;
  readonly column: ColumnSql;
  readonly treatNullAsValid: boolean;
}

/** SQL of UNIQUE: counts the rows, and those whose value another row has too: one grouping, not a comparison of rows. */
export function uniqueCountQuery({ view, column, treatNullAsValid }: UniqueChecked): string {
  const isInvalid = treatNullAsValid
    ? '__dq_value IS NOT NULL AND __dq_rows > 1'
    : '__dq_value IS NULL OR __dq_rows > 1';
  // Without the number of each row, which would have to be counted in the order of the file.
  return `SELECT coalesce(sum(__dq_rows), 0)::DOUBLE, coalesce(sum(__dq_rows) FILTER (WHERE ${isInvalid}), 0)::DOUBLE
    FROM (SELECT ${column.value} AS __dq_value, count(*) AS __dq_rows FROM ${viewSql(view)} GROUP BY 1)`;
}

/** Lists the first rows whose value another row has too; with `head`, only those among that many first rows of the file. */
export function uniqueSampleQuery(checked: UniqueChecked, limit: number, head?: number): string {
  const { view, countedView, row, column, treatNullAsValid } = checked;
  const first = head === undefined ? '' : `LIMIT ${head}`;
  const values = `SELECT ${column.value} AS __dq_value FROM ${viewSql(view)}`;
  // Of all values, only those of the first rows are counted.
  const wanted = head === undefined ? '' : `WHERE __dq_value IN (${values} ${first})`;
  const repeated = `SELECT __dq_value FROM (${values}) ${wanted} GROUP BY __dq_value HAVING count(*) > 1`;
  return `SELECT __dq_row::DOUBLE, __dq_sample
    FROM (SELECT ${row} AS __dq_row, ${column.json} AS __dq_sample, ${column.value} AS __dq_value FROM ${viewSql(countedView)} ${first})
    WHERE __dq_value IN (${repeated}) ${treatNullAsValid ? '' : 'OR __dq_value IS NULL'}
    ORDER BY __dq_row LIMIT ${limit}`;
}
