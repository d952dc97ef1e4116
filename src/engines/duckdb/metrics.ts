import type { CapturedValue } from '../../service/evaluation.ts';
import type { MetricRecord } from '../../service/store.ts';
import { mostGroups } from '../limits.ts';
import { noNumbers, noRows, notFinite, tooManyGroups } from '../reasons.ts';
import { type DataSource, openColumns } from './data-source.ts';
import { QueryError } from '../query-error.ts';
import { askAbout, computeAbout } from './explain.ts';
import { aggregateOf, captureQuery, isPlain, rowCount } from './metric-sql.ts';
import { findTable } from './tables.ts';
import { viewSql } from './view.ts';

/** Computes a metric: one value, or one per group. */
export async function capture(source: DataSource, metric: MetricRecord): Promise<readonly CapturedValue[]> {
  const tables = await source.finder.list(metric.asset_id);
  const file = findTable(tables, metric.table_path);
  const names = [...metric.group_by_columns, ...(metric.column_name === null ? [] : [metric.column_name])];
  const { view, columns } = await openColumns(source, tables, file, names);
  const groups = columns.slice(0, metric.group_by_columns.length);
  const aggregate = aggregateOf(metric, columns[metric.group_by_columns.length]);
  const { engine } = source;
  const rows =
    groups.length === 0 && isPlain(metric)
      ? [await computeAbout(engine, tables, file, view, [aggregate, rowCount])]
      : await askAbout(engine, tables, file, captureQuery(viewSql(view), aggregate, groups));
  if (rows.length > mostGroups) throw new QueryError(tooManyGroups());
  return rows.map(([value, count, ...texts]) => {
    const group = groups.length === 0 ? null : groupValues(metric.group_by_columns, texts);
    if (typeof value === 'number' && Number.isFinite(value)) return { value, group_values: group };
    return { value: null, group_values: group, error_message: reasonOf(metric, value, Number(count)) };
  });
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

function groupValues(names: readonly string[], texts: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    names.map((name, at) => {
      const text = texts[at];
      return [name, typeof text === 'string' ? (JSON.parse(text) as unknown) : null];
    }),
  );
}
