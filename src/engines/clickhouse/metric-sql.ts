import type { MetricRecord } from '../../service/store.ts';
import type { ColumnSql } from './column-sql.ts';

/** The aggregate that counts the rows. */
export const rowCount = 'toFloat64(count())';

/** The aggregate of a metric, as a double: NULL if there is nothing to compute it from. */
export function aggregateOf(
  metric: Pick<MetricRecord, 'metric_type' | 'percentile_value'>,
  column: ColumnSql | undefined,
): string {
  if (metric.metric_type === 'row_count') return rowCount;
  if (column === undefined) throw new TypeError(`${metric.metric_type} needs a column`);
  const { value, plain, isNull, number } = column;
  // Older versions count null as a value in some places, and each NaN as another one.
  const distinctValue =
    column.kind === 'float' ? `toString(assumeNotNull(${value}))` : `assumeNotNull(${value})`;
  const distinct = `toFloat64(uniqExactIf(${distinctValue}, NOT ${isNull}))`;
  const numbers = `toFloat64(count(${number}))`;
  const orNull = (aggregate: string) => `if(${numbers} = 0, NULL, ${aggregate})`;
  switch (metric.metric_type) {
    case 'null_percent':
      return `if(count() = 0, NULL, 100 * toFloat64(countIf(${isNull})) / toFloat64(count()))`;
    case 'distinct_count':
      return distinct;
    case 'duplicate_count':
      return `toFloat64(count(${plain})) - ${distinct}`;
    case 'min_value':
      return orNull(`min(${number})`);
    case 'max_value':
      return orNull(`max(${number})`);
    case 'avg_value':
      return orNull(`avg(${number})`);
    case 'percentile':
      return orNull(percentile(number, (metric.percentile_value ?? 0) / 100));
  }
}

/** Between the two nearest values, as the other engines do: the quantiles of older versions are one of the values. */
function percentile(number: string, level: number): string {
  const values = `arraySort(groupArrayIf(assumeNotNull(${number}), isNotNull(${number})))`;
  const at = `(${level} * (length(${values}) - 1))`;
  const low = `arrayElement(${values}, toUInt64(floor(${at})) + 1)`;
  const high = `arrayElement(${values}, toUInt64(ceil(${at})) + 1)`;
  return `(${low} + (${at} - floor(${at})) * (${high} - ${low}))`;
}
