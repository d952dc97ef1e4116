import type { DuckDBConnection } from '@duckdb/node-api';

const statements = `
  CREATE SEQUENCE rule_ids;
  CREATE SEQUENCE result_ids;
  CREATE SEQUENCE metric_ids;
  CREATE SEQUENCE snapshot_ids;
  CREATE TABLE rules (id BIGINT, uuid VARCHAR, asset_id VARCHAR, rule_type VARCHAR, is_active BOOLEAN, record VARCHAR, ran_at DOUBLE);
  CREATE TABLE results (id BIGINT, rule_id BIGINT, status VARCHAR, checked_at VARCHAR, record VARCHAR);
  CREATE TABLE metrics (id BIGINT, uuid VARCHAR, asset_id VARCHAR, metric_type VARCHAR, is_active BOOLEAN, record VARCHAR, ran_at DOUBLE);
  CREATE TABLE snapshots (id BIGINT, metric_id BIGINT, "value" DOUBLE, group_values VARCHAR, status VARCHAR, captured_at VARCHAR, record VARCHAR, teaches BOOLEAN, accepted BOOLEAN);
  CREATE TABLE scans (asset_id VARCHAR, "snapshot" VARCHAR);
  CREATE TABLE deliveries (id VARCHAR, destination VARCHAR, payload VARCHAR, status VARCHAR, attempts INTEGER, due_at DOUBLE, last_error VARCHAR, finished_at DOUBLE);
  CREATE TABLE reported (subject VARCHAR, status VARCHAR);
  CREATE TABLE freshness_periods (asset_id VARCHAR, status VARCHAR, from_at DOUBLE, until_at DOUBLE);
  CREATE TABLE lineage_nodes (asset_id VARCHAR, id VARCHAR, record VARCHAR);
  CREATE TABLE lineage_edges (asset_id VARCHAR, from_id VARCHAR, to_id VARCHAR);
`;

/** What each statement makes, as DuckDB writes it down. */
interface SchemaObject {
  readonly key: string;
  readonly create: string;
}

const objects: readonly SchemaObject[] = statements
  .trim()
  .split(';\n')
  .map((statement) => {
    const create = statement.trim().replace(/;$/, '');
    const [, kind = '', name = '', columns = ''] = /^CREATE (\w+) (\w+) ?(.*)$/.exec(create) ?? [];
    return { key: `${kind.toLowerCase()} ${name}${columns}`, create };
  });

/** Names of the tables of a state. */
export const tables: readonly string[] = objects.flatMap(
  ({ create }) => create.match(/(?<=^CREATE TABLE )\w+/) ?? [],
);

/**
 * Makes the tables of a state that are not there yet. Whatever else the file contains is refused with its name: a view
 * may read other files, and a macro would run in place of a function, as soon as the first query uses it.
 *
 * The queries name functions with their schema, which no object of the file can replace, and use no operator.
 */
export async function prepareSchema(connection: DuckDBConnection): Promise<void> {
  const found = await objectsIn(connection);
  const foreign = found.find((key) => !objects.some((object) => object.key === key));
  if (foreign !== undefined) throw new ForeignObject(foreign.split('(', 1)[0]);
  for (const { key, create } of objects) if (!found.includes(key)) await connection.run(create);
}

/** The file contains something that no state of ours has. */
export class ForeignObject extends Error {
  override readonly name = 'ForeignObject' as const;
}

async function objectsIn(connection: DuckDBConnection): Promise<readonly string[]> {
  const read = async (columns: string, from: string) => {
    const result = await connection.run(`SELECT ${columns} FROM system.main.${from}()`);
    const rows = await result.getRows();
    return rows.map((row) => row.map(String));
  };
  const made = async (kind: string, name: string, from: string) =>
    (await read(`${name}, internal`, from))
      .filter(([, internal]) => internal !== 'true')
      .map(([text]) => `${kind} ${text}`);
  return [
    ...(await made('schema', 'schema_name', 'duckdb_schemas')),
    ...(await made('view', 'view_name', 'duckdb_views')),
    ...(await made('type', 'type_name', 'duckdb_types')),
    ...(await made('macro', 'function_name', 'duckdb_functions')),
    ...(await read('index_name', 'duckdb_indexes')).map(([name]) => `index ${name}`),
    // The text has everything in it that a table can have: constraints, defaults, generated columns.
    ...(await read('sql', 'duckdb_tables')).map(([sql = '']) =>
      sql.replace(/^CREATE TABLE /, 'table ').replace(/;$/, ''),
    ),
    ...(await read('sql', 'duckdb_sequences')).map(([sql = '']) =>
      sql
        .replace(/^CREATE SEQUENCE /, 'sequence ')
        .replace(/ INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START \d+ NO CYCLE;$/, ''),
    ),
  ];
}
