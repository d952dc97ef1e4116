import type { ColumnSql } from '../column-sql.ts';

/** What a UNIQUE check reads. */
export interface UniqueChecked {
  readonly reading: string;
  readonly column: ColumnSql;
  /** The 0-based row of the file. */
  readonly row: string;
  readonly treatNullAsValid: boolean;
}

/**
 * SQL of UNIQUE: counts the rows, and those whose value another row has too, and lists the first row of the first such values as
 * JSON: one grouping, not a comparison of rows.
 */
export function uniqueCountQuery(checked: UniqueChecked, limit: number): string {
  const { reading, column, row, treatNullAsValid } = checked;
  const isInvalid = treatNullAsValid
    ? '__dq_value IS NOT NULL AND __dq_rows > 1'
    : '__dq_value IS NULL OR __dq_rows > 1';
  // Counting rows in the order of the file takes time of its own.
  const [rowColumn, first, firsts] =
    limit === 0
      ? ['', '', '']
      : [
          `, ${row} AS __dq_row`,
          ', min(__dq_row) AS __dq_first',
          `, to_json(min(__dq_first, ${limit}) FILTER (WHERE ${isInvalid}))::VARCHAR`,
        ];
  return `SELECT coalesce(sum(__dq_rows), 0)::DOUBLE, coalesce(sum(__dq_rows) FILTER (WHERE ${isInvalid}), 0)::DOUBLE${firsts}
    FROM (SELECT __dq_value, count(*) AS __dq_rows${first}
          FROM (SELECT ${column.value} AS __dq_value${rowColumn} FROM ${reading}) GROUP BY __dq_value)`;
}

/** Lists the first rows whose value another row has too, given the first rows of the first such values. */
export function uniqueSampleQuery(checked: UniqueChecked, firsts: readonly number[], limit: number): string {
  const { reading, column, row } = checked;
  const values = `SELECT ${row} AS __dq_row, ${column.json} AS __dq_sample, ${column.value} AS __dq_value FROM ${reading}`;
  const head = `${values} LIMIT ${Math.max(...firsts) + 1}`;
  // As each first row is a sample itself, there are enough of them up to the last one.
  const searched = firsts.length < limit ? values : head;
  return `SELECT __dq_row::DOUBLE, __dq_sample FROM (${searched}) AS searched
    WHERE EXISTS (FROM (${head}) AS head WHERE head.__dq_row IN (${firsts.join(', ')})
                  AND head.__dq_value IS NOT DISTINCT FROM searched.__dq_value)
    ORDER BY __dq_row LIMIT ${limit}`;
}
