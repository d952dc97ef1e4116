import type { MetricRecord } from '../../service/store.ts';
import type { ColumnSql } from './column-sql.ts';

/** The aggregate that counts the rows. */
export const rowCount = 'count(*)::float8';

/** The aggregate of a metric, as a double: NULL if there is nothing to compute it from. */
export function aggregateOf(
  metric: Pick<MetricRecord, 'metric_type' | 'percentile_value'>,
  column: ColumnSql | undefined,
): string {
  if (metric.metric_type === 'row_count') return rowCount;
  if (column === undefined) throw new TypeError(`${metric.metric_type} needs a column`);
  const { value, plain, number } = column;
  switch (metric.metric_type) {
    case 'null_percent':
      return `(100 * (count(*) - count(${plain})) / nullif(count(*), 0)::float8)`;
    case 'distinct_count':
      return `count(DISTINCT ${value})::float8`;
    case 'duplicate_count':
      return `(count(${plain}) - count(DISTINCT ${value}))::float8`;
    case 'min_value':
      return `min(${number})`;
    case 'max_value':
      return `max(${number})`;
    case 'avg_value':
      return `avg(${number})`;
    case 'percentile':
      return `percentile_cont(${(metric.percentile_value ?? 0) / 100}) WITHIN GROUP (ORDER BY ${number})`;
  }
}
