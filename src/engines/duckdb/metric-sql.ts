import type { MetricRecord } from '../../service/store.ts';
import { mostGroups } from '../limits.ts';
import type { ColumnSql } from './column-sql.ts';

/** The aggregate that counts the rows. */
export const rowCount = 'count(*)::DOUBLE';

/** The aggregate of a metric, as a double: NULL if there is nothing to compute it from. */
export function aggregateOf(
  metric: Pick<MetricRecord, 'metric_type' | 'percentile_value'>,
  column: ColumnSql | undefined,
): string {
  if (metric.metric_type === 'row_count') return rowCount;
  if (column === undefined) throw new TypeError(`${metric.metric_type} needs a column`);
  const { value, isNull, number, count } = column;
  switch (metric.metric_type) {
    case 'null_percent':
      return `(100 * count(*) FILTER (WHERE ${isNull}) / nullif(count(*), 0)::DOUBLE)`;
    case 'distinct_count':
      return `count(DISTINCT ${value})::DOUBLE`;
    case 'duplicate_count':
      return `(${count} - count(DISTINCT ${value}))::DOUBLE`;
    case 'min_value':
      return `min(${number})`;
    case 'max_value':
      return `max(${number})`;
    case 'avg_value':
      return `avg(${number})`;
    case 'percentile':
      return `quantile_cont(${number}, ${(metric.percentile_value ?? 0) / 100})`;
  }
}

/** Whether its aggregate keeps one value, not one per value of the column. */
export function isPlain({ metric_type }: Pick<MetricRecord, 'metric_type'>): boolean {
  return !['distinct_count', 'duplicate_count', 'percentile'].includes(metric_type);
}

/** Computes an aggregate and counts the rows: one row, or one per group, each with the JSON texts of its group's values. */
export function captureQuery(reading: string, aggregate: string, groups: readonly ColumnSql[]): string {
  if (groups.length === 0) return `SELECT ${aggregate}, ${rowCount} FROM ${reading}`;
  const values = groups.map(({ value }) => value).join(', ');
  // Equal JSON can be written in several ways; one of them names the group.
  const texts = groups.map(({ json }) => `min(${json})`).join(', ');
  return `SELECT ${aggregate}, ${rowCount}, ${texts} FROM ${reading} GROUP BY ${values} ORDER BY ${values} LIMIT ${mostGroups + 1}`;
}
