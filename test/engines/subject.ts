import { join } from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';

import type { Served } from '../support/served.ts';
import { messyRows, type MetricCase, type RuleCase } from './rows.ts';

/** Writes the messy rows with their types into a parquet file. */
export async function writeMessyParquet(folder: string): Promise<void> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  await connection.run(
    'CREATE TABLE messy (id INTEGER, txt VARCHAR, num DOUBLE, flt FLOAT, big BIGINT, price DECIMAL(10, 2), day VARCHAR, seen TIMESTAMP)',
  );
  for (const row of messyRows) {
    await connection.run(`INSERT INTO messy VALUES (${valuesOf(row).join(', ')})`);
  }
  await connection.run(`COPY messy TO '${join(folder, 'messy.parquet')}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
}

/** A row as literals of DuckDB and PostgreSQL. */
export function valuesOf(row: (typeof messyRows)[number]): readonly string[] {
  return [
    String(row.id),
    quoted(row.txt),
    float(row.num),
    float(row.flt),
    row.big === null ? 'NULL' : `'${row.big}'`,
    quoted(row.price),
    quoted(row.day),
    quoted(row.seen),
  ];
}

function float(value: number | null): string {
  return value === null ? 'NULL' : `'${Object.is(value, -0) ? '-0' : String(value)}'`;
}

function quoted(value: string | null): string {
  return value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`;
}

/** A row as literals of ClickHouse. */
export function clickHouseValuesOf(row: (typeof messyRows)[number]): readonly string[] {
  return [
    String(row.id),
    escaped(row.txt),
    clickHouseNumber(row.num),
    clickHouseNumber(row.flt),
    row.big === null ? 'NULL' : String(row.big),
    row.price ?? 'NULL',
    escaped(row.day),
    escaped(row.seen),
  ];
}

function clickHouseNumber(value: number | null): string {
  if (value === null) return 'NULL';
  return Object.is(value, -0) ? '-0.0' : String(value).replace('Infinity', 'inf').toLowerCase();
}

function escaped(value: string | null): string {
  return value === null ? 'NULL' : `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}

/** An engine as the service shows it: an asset with a table of the messy rows. */
export interface Subject {
  readonly assetId: string;
  readonly table: string;
}

/** Checks a rule: the number of rows and of those that break it, or why it cannot be evaluated. */
export async function check(
  served: Served,
  { assetId, table }: Subject,
  [column, type, config, treatNullAsValid]: RuleCase,
) {
  const rule = { table_path: table, column_name: column, rule_type: type, rule_config: config };
  const created = await served.call('POST', `/api/v1/sdk/validity/${assetId}`, {
    ...rule,
    treat_null_as_valid: treatNullAsValid,
  });
  if (created.body.data === undefined) throw new Error(JSON.stringify(created.body));
  const path = `/api/v1/sdk/validity/${assetId}/${String(created.body.data['uuid'])}/check`;
  const { body } = await served.call('POST', path, { sample_limit: 100 });
  const { data = {} } = body;
  const samples = (data['invalid_samples'] as { samples: readonly Record<string, unknown>[] } | null)
    ?.samples;
  return {
    total: data['total_rows'],
    invalid: data['invalid_count'],
    error: data['error_message'],
    samples,
  };
}

/** Captures a metric: its values by group. */
export async function capture(
  served: Served,
  { assetId, table }: Subject,
  [type, column, percentile, groupBy]: MetricCase,
) {
  const created = await served.call('POST', `/api/v1/sdk/metrics/${assetId}`, {
    table_path: table,
    metric_type: type,
    column_name: column,
    ...(percentile === undefined ? {} : { percentile_value: percentile }),
    ...(groupBy === undefined ? {} : { group_by_columns: [groupBy] }),
  });
  if (created.body.data === undefined) throw new Error(JSON.stringify(created.body));
  const path = `/api/v1/sdk/metrics/${assetId}/${String(created.body.data['id'])}/capture`;
  const { body } = await served.call('POST', path);
  const snapshots = body.data?.['snapshots'] as readonly Record<string, unknown>[];
  const rows = snapshots.map((snapshot) => ({
    value: typeof snapshot['value'] === 'number' ? Number(snapshot['value'].toPrecision(12)) : null,
    group: snapshot['group_values'],
    error: snapshot['error_message'],
  }));
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
