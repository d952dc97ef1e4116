import type { DatabaseTable, Row } from '../database/database.ts';
import { baseOf } from './column-sql.ts';
import { literal } from './quote.ts';

/** Lists the columns of the tables and views that the user may read. Tables that only live in a query are not listed. */
export function catalogQuery(databases: readonly string[] | undefined): string {
  const isWanted =
    databases === undefined
      ? `database NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema')`
      : `database IN (${databases.map(literal).join(', ')})`;
  return `SELECT database, table, groupArray(name), groupArray(type), groupArray(is_in_primary_key)
    FROM (SELECT database, table, name, type, is_in_primary_key FROM system.columns
      WHERE ${isWanted} AND table NOT LIKE '.inner%')
    GROUP BY database, table ORDER BY database, table`;
}

/** Reads the rows of {@link catalogQuery}. */
export function tablesOf(rows: readonly Row[]): readonly DatabaseTable[] {
  return rows.map(([schema, table, names, types, inKey]) => {
    const columns = strings(names).map((name, at) => {
      const type = strings(types)[at] ?? '';
      return { name, type, base: baseOf(type) };
    });
    const isKey = Array.isArray(inKey) ? inKey.map(Number) : [];
    const key = columns.filter((_, at) => isKey[at] === 1).map(({ name }) => name);
    return { schema: String(schema), name: String(table), columns, key };
  });
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
