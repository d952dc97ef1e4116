import type { ColumnSql } from '../column-sql.ts';

/** SQL of NOT_NULL: true if there is a value. */
export function notNullCondition({ plain }: ColumnSql): string {
  return `isNotNull(${plain})`;
}
