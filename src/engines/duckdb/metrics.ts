import type { CapturedValue } from '../../service/evaluation.ts';
import type { MetricRecord } from '../../service/store.ts';
import { type DataSource, openColumns } from './data-source.ts';
import { QueryError } from './engine.ts';
import { aggregateOf, captureQuery, mostGroups } from './metrics-sql.ts';
import { headReading } from './reading.ts';
import { findTable } from './tables.ts';

/** Computes a metric: one value, or one a group. */
export async function capture(source: DataSource, metric: MetricRecord): Promise<readonly CapturedValue[]> {
  const { finder, engine } = source;
  const tables = await finder.look(metric.asset_id);
  const file = findTable(tables, metric.table_path);
  const names = [...metric.group_by_columns, ...(metric.column_name === null ? [] : [metric.column_name])];
  const { reading, columns } = await openColumns(source, tables, file, names);
  const groups = columns.slice(0, metric.group_by_columns.length);
  const aggregate = aggregateOf(metric, columns[metric.group_by_columns.length]);
  const query = captureQuery(names.length === 0 ? headReading(file) : reading, aggregate, groups);
  const rows = await engine.query(tables.files, query);
  if (rows.length > mostGroups) throw new QueryError(`there are more than ${mostGroups} groups`);
  return rows.map(([value, ...texts]) => ({
    value: typeof value === 'number' && Number.isFinite(value) ? value : null,
    group_values: groups.length === 0 ? null : groupValues(metric.group_by_columns, texts),
  }));
}

function groupValues(names: readonly string[], texts: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    names.map((name, at) => {
      const text = texts[at];
      return [name, typeof text === 'string' ? (JSON.parse(text) as unknown) : null];
    }),
  );
}
