import { type Column, columnSql } from './column-sql.ts';

/** Reads the newest value of a column as milliseconds since 1970; a time without a zone is UTC. */
export function newestQuery(reading: string, column: Column): string {
  const { text, value, isTemporal } = columnSql(column);
  const time = isTemporal ? `${value}::TIMESTAMPTZ` : `TRY_CAST(${text} AS TIMESTAMPTZ)`;
  return `SELECT epoch_ms(max(${time}))::DOUBLE FROM (SELECT * FROM ${reading}) WHERE isfinite(${time})`;
}
