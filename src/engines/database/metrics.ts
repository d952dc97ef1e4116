import type { CapturedValue } from '../../service/evaluation.ts';
import type { MetricRecord } from '../../service/store.ts';
import { mostGroups } from '../limits.ts';
import { QueryError } from '../query-error.ts';
import { noNumbers, noRows, notFinite, tooManyGroups } from '../reasons.ts';
import type { DatabaseColumn, DatabaseTable, Row } from './database.ts';
import type { DataSource } from './data-source.ts';

/** Computes a metric: one value, or one per group. */
export async function capture(source: DataSource, metric: MetricRecord): Promise<readonly CapturedValue[]> {
  const table = await source.find(metric.table_path);
  const { dialect } = source.database;
  const column = metric.column_name === null ? undefined : source.column(table, metric.column_name);
  const groups = metric.group_by_columns.map((name) => source.column(table, name));
  const aggregates = [dialect.metric(metric, column), dialect.rowCount];
  const rows =
    groups.length === 0
      ? [await source.aggregate(table, aggregates)]
      : await captureGroups(source, table, groups, aggregates);
  if (rows.length > mostGroups) throw new QueryError(tooManyGroups());
  return rows.map(([value, count, ...texts]) => {
    const named = groups.map((group, at) => [
      metric.group_by_columns[at] ?? group.name,
      dialect.sampleValue(group, texts[at]),
    ]);
    const group = groups.length === 0 ? null : (Object.fromEntries(named) as Record<string, unknown>);
    if (typeof value === 'number' && Number.isFinite(value)) return { value, group_values: group };
    return { value: null, group_values: group, error_message: reasonOf(metric, value, Number(count)) };
  });
}

async function captureGroups(
  { database }: DataSource,
  table: DatabaseTable,
  groups: readonly DatabaseColumn[],
  aggregates: readonly string[],
): Promise<readonly Row[]> {
  const { dialect } = database;
  const values = groups.map((group) => dialect.groupValue(group)).join(', ');
  // Equal values can be written in several ways; one of them names the group.
  const texts = groups.map((group) => dialect.smallest(dialect.sample(group)));
  return database.query(
    `SELECT ${[...aggregates, ...texts].join(', ')} FROM ${dialect.tableName(table)} GROUP BY ${values} ORDER BY ${values} LIMIT ${mostGroups + 1}`,
  );
}

/** Why a metric has no value. */
function reasonOf(
  { column_name: column, table_path: table }: MetricRecord,
  value: unknown,
  rows: number,
): string {
  if (rows === 0) return noRows(table);
  return (value === null ? noNumbers : notFinite)(column ?? '');
}
