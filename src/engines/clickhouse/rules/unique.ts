import type { ColumnSql } from '../column-sql.ts';

/** SQL of UNIQUE: counts the rows, and those whose value another row has too: one grouping, not a comparison of rows. */
export function uniqueCountQuery(from: string, { value }: ColumnSql, treatNullAsValid: boolean): string {
  const isInvalid = treatNullAsValid ? 'isNotNull(v) AND n > 1' : 'isNull(v) OR n > 1';
  return `SELECT toFloat64(sum(n)), toFloat64(sumIf(n, ${isInvalid}))
    FROM (SELECT ${value} AS v, count() AS n FROM ${from} GROUP BY v) AS dq_values`;
}

/** True for a row whose value no other row has, as far as `limit` invalid rows need. */
export function uniqueCondition(
  from: string,
  { value, isNull }: ColumnSql,
  { treatNullAsValid, limit }: { readonly treatNullAsValid: boolean; readonly limit: number },
): string {
  // As text, NaN is itself. GLOBAL: each shard needs the values that repeat across all of them.
  const text = `toString(${value})`;
  const repeated = `SELECT v FROM (SELECT assumeNotNull(${text}) AS v, count() AS n FROM ${from} WHERE NOT ${isNull} GROUP BY v) WHERE n > 1 LIMIT ${limit}`;
  return `if(${isNull}, ${treatNullAsValid ? 1 : 0}, assumeNotNull(${text}) GLOBAL NOT IN (${repeated}))`;
}
