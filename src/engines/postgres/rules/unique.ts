import type { ColumnSql } from '../column-sql.ts';

/** SQL of UNIQUE: counts the rows, and those whose value another row has too: one grouping, not a comparison of rows. */
export function uniqueCountQuery(from: string, { value }: ColumnSql, treatNullAsValid: boolean): string {
  const isInvalid = treatNullAsValid ? 'v IS NOT NULL AND n > 1' : 'v IS NULL OR n > 1';
  return `SELECT coalesce(sum(n), 0)::float8, coalesce(sum(n) FILTER (WHERE ${isInvalid}), 0)::float8
    FROM (SELECT ${value} AS v, count(*) AS n FROM ${from} GROUP BY 1) AS dq_values`;
}

/** True for a row whose value no other row has, as far as `limit` invalid rows need. */
export function uniqueCondition(
  from: string,
  { value, isNull }: ColumnSql,
  { treatNullAsValid, limit }: { readonly treatNullAsValid: boolean; readonly limit: number },
): string {
  const repeated = `SELECT ${value} FROM ${from} WHERE NOT (${isNull}) GROUP BY 1 HAVING count(*) > 1 LIMIT ${limit}`;
  return `CASE WHEN ${isNull} THEN ${treatNullAsValid} ELSE ${value} NOT IN (${repeated}) END`;
}
