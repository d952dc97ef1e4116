import type { ColumnSql } from '../column-sql.ts';
import { compareNumber } from '../compare-number.ts';
import { literal } from '../quote.ts';

/** SQL of ENUM: true if the value is one of the numbers, or its text one of the texts. */
export function enumCondition(
  { numbers, texts }: { readonly numbers: readonly number[]; readonly texts: readonly string[] },
  column: ColumnSql,
): string {
  return [
    '0',
    ...numbers.map((value) => compareNumber(column, '=', value)),
    ...(texts.length === 0 ? [] : [`${column.text} IN (${texts.map(literal).join(', ')})`]),
  ]
    .map((condition) => `ifNull(${condition}, 0)`)
    .join(' OR ');
}
