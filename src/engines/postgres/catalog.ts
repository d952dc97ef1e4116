import type { DatabaseColumn, DatabaseTable, Row } from '../database/database.ts';
import { literal } from './quote.ts';

/** Lists the columns of the tables and views that the role may read, table by table, those of the primary key by their place in it. */
export function catalogQuery(schemas: readonly string[] | undefined): string {
  const isWanted =
    schemas === undefined
      ? `n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'`
      : `n.nspname IN (${schemas.map(literal).join(', ')})`;
  return `SELECT n.nspname::text, c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod),
      format_type(coalesce(nullif(t.typbasetype, 0), a.atttypid), NULL), array_position(i.indkey::int2[], a.attnum)
    FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      AND has_column_privilege(c.oid, a.attnum, 'SELECT')
    LEFT JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND ${isWanted}
      AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
    ORDER BY 1, 2, a.attnum`;
}

/** Reads the rows of {@link catalogQuery}. */
export function tablesOf(rows: readonly Row[]): readonly DatabaseTable[] {
  const tables = new Map<
    string,
    { schema: string; name: string; columns: DatabaseColumn[]; keys: [number, string][] }
  >();
  for (const [schema, name, column, type, base, place] of rows) {
    const path = JSON.stringify([schema, name]);
    const table = tables.get(path) ?? { schema: String(schema), name: String(name), columns: [], keys: [] };
    tables.set(path, table);
    if (typeof column !== 'string') continue;
    table.columns.push({ name: column, type: String(type), base: String(base) });
    if (place !== null) table.keys.push([Number(place), column]);
  }
  return [...tables.values()].map((table) => ({
    schema: table.schema,
    name: table.name,
    columns: table.columns,
    key: table.keys.toSorted(([a], [b]) => a - b).map(([, column]) => column),
  }));
}
