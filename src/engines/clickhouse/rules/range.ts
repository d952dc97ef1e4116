import type { ColumnSql } from '../column-sql.ts';
import { compareNumber } from '../compare-number.ts';

/** SQL of RANGE: true if the value is a number within the bounds, both inclusive. */
export function rangeCondition(
  { min, max }: { readonly min: number | undefined; readonly max: number | undefined },
  column: ColumnSql,
): string {
  const bounds = [
    ...(min === undefined ? [] : [compareNumber(column, '>=', min)]),
    ...(max === undefined ? [] : [compareNumber(column, '<=', max)]),
  ];
  return bounds.length === 0 ? `isNotNull(${column.number})` : bounds.join(' AND ');
}
