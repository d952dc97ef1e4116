import type { Run } from '../state.ts';

/** The schema of our tables, which is made if it does not exist. */
export const schema = 'data_quality';

/**
 * What changes the tables, in order; the number of a migration is its place, counted from 1. One that was released is
 * never changed. Processes of the version before go on working beside the new tables: columns are added, never renamed.
 *
 * `COLLATE "C"` compares texts byte by byte, as DuckDB does, whatever the language of the database is.
 */
const migrations: readonly string[] = [
  `CREATE SEQUENCE rule_ids;
   CREATE SEQUENCE result_ids;
   CREATE SEQUENCE metric_ids;
   CREATE SEQUENCE snapshot_ids;
   CREATE TABLE rules (
     id BIGINT UNIQUE, uuid VARCHAR COLLATE "C" PRIMARY KEY, asset_id VARCHAR COLLATE "C", rule_type VARCHAR COLLATE "C",
     is_active BOOLEAN, record VARCHAR, ran_at FLOAT8
   );
   CREATE INDEX ON rules (asset_id, id);
   CREATE TABLE results (
     id BIGINT PRIMARY KEY, rule_id BIGINT, status VARCHAR COLLATE "C", checked_at VARCHAR COLLATE "C", record VARCHAR
   );
   CREATE INDEX ON results (rule_id, checked_at DESC, id DESC);
   CREATE TABLE metrics (
     id BIGINT UNIQUE, uuid VARCHAR COLLATE "C" PRIMARY KEY, asset_id VARCHAR COLLATE "C",
     metric_type VARCHAR COLLATE "C", is_active BOOLEAN, record VARCHAR, ran_at FLOAT8
   );
   CREATE INDEX ON metrics (asset_id, id);
   CREATE TABLE snapshots (
     id BIGINT PRIMARY KEY, metric_id BIGINT, "value" FLOAT8, group_values VARCHAR COLLATE "C",
     status VARCHAR COLLATE "C", captured_at VARCHAR COLLATE "C", record VARCHAR, teaches BOOLEAN, accepted BOOLEAN
   );
   CREATE INDEX ON snapshots (metric_id, captured_at DESC, id DESC);
   CREATE TABLE scans (asset_id VARCHAR COLLATE "C" PRIMARY KEY, "snapshot" VARCHAR);
   CREATE TABLE deliveries (
     id VARCHAR COLLATE "C", destination VARCHAR COLLATE "C", payload VARCHAR, status VARCHAR COLLATE "C",
     attempts INTEGER, due_at FLOAT8, last_error VARCHAR, finished_at FLOAT8, PRIMARY KEY (id, destination)
   );
   CREATE INDEX ON deliveries (due_at) WHERE status = 'pending';
   CREATE TABLE reported (subject VARCHAR COLLATE "C" PRIMARY KEY, status VARCHAR COLLATE "C");
   CREATE TABLE freshness_periods (
     asset_id VARCHAR COLLATE "C", status VARCHAR COLLATE "C", from_at FLOAT8, until_at FLOAT8
   );
   CREATE INDEX ON freshness_periods (asset_id, from_at DESC);
   CREATE TABLE lineage_nodes (
     asset_id VARCHAR COLLATE "C", id VARCHAR COLLATE "C", record VARCHAR, PRIMARY KEY (asset_id, id)
   );
   CREATE TABLE lineage_edges (
     asset_id VARCHAR COLLATE "C", from_id VARCHAR COLLATE "C", to_id VARCHAR COLLATE "C",
     PRIMARY KEY (asset_id, from_id, to_id)
   );
   CREATE TABLE turns (name VARCHAR COLLATE "C" PRIMARY KEY, until_at FLOAT8);
   CREATE UNLOGGED TABLE request_counts (key VARCHAR(255) PRIMARY KEY, points INTEGER NOT NULL, expire BIGINT);
   CREATE TABLE settings (name VARCHAR COLLATE "C" PRIMARY KEY, "value" VARCHAR);`,
];

/** The version of the tables that this version of the package makes. */
export const latestVersion = migrations.length;

/** Any number: whoever migrates holds the advisory lock of it until the transaction ends. */
const lock = 7_461_902_455;

/** The tables were made by a later version of this package. */
export class NewerState extends Error {
  override readonly name = 'NewerState' as const;
}

/**
 * Brings the tables to this version, inside a transaction: of several processes that start at the same time, one does
 * it, and the others wait for it.
 */
export async function migrate(run: Run): Promise<void> {
  await run(`SELECT pg_advisory_xact_lock(${lock})`);
  await run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  await run('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, applied_at TIMESTAMPTZ)');
  const [row] = await run('SELECT coalesce(max(version), 0) FROM migrations');
  const version = Number(row?.[0]);
  if (version > latestVersion) throw new NewerState(`version ${version}`);
  for (const [at, statements] of migrations.entries()) {
    if (at < version) continue;
    for (const statement of statements.split(/;\s*/)) if (statement !== '') await run(statement);
    await run('INSERT INTO migrations VALUES ($1::INTEGER, now())', at + 1);
  }
}
