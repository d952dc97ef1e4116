import type { ColumnSql } from '../column-sql.ts';
import { compareNumber, equalsAnyNumber } from '../compare-number.ts';
import { literal } from '../quote.ts';

/** SQL of ENUM: true if the value is one of the numbers, or its text one of the texts. */
export function enumCondition(
  { numbers, texts }: { readonly numbers: readonly number[]; readonly texts: readonly string[] },
  column: ColumnSql,
): string {
  const small = numbers.filter((value) => !isLarge(value));
  return [
    'false',
    ...(small.length === 0 ? [] : [equalsAnyNumber(column, small)]),
    ...numbers.filter(isLarge).map((value) => compareNumber(column, '=', value)),
    ...(texts.length === 0 ? [] : [`${column.text} IN (${texts.map(literal).join(', ')})`]),
  ].join(' OR ');
}

function isLarge(value: number): boolean {
  return Math.abs(value) > Number.MAX_SAFE_INTEGER;
}
