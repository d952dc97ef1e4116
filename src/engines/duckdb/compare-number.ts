import type { ColumnSql } from './column-sql.ts';
import { literal, numeric } from './quote.ts';

/** SQL that compares the number of a column with a number; NULL if the value is not a number. */
export function compareNumber(column: ColumnSql, operator: '<=' | '>=' | '=', value: number): string {
  const { number, text, wholeNumber, float } = column;
  // Whole numbers are compared as such: twice as fast as doubles.
  if (wholeNumber !== undefined && operator !== '=') {
    const whole = operator === '>=' ? Math.ceil(value) : Math.floor(value);
    if (Number.isSafeInteger(whole)) return `${wholeNumber} ${operator} ${whole}`;
  }
  // 0.1 as a FLOAT is not 0.1 as a DOUBLE.
  if (float !== undefined) return `(${number} IS NOT NULL AND ${float} ${operator} ${asFloat(value)})`;
  const rough = `${number} ${operator} ${numeric(value)}`;
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER || Math.abs(value) >= widestDecimal) return rough;
  // A double cannot represent each whole number from here on; 32 digits before the point and 6 behind it can.
  return `(${number} IS NOT NULL AND coalesce(TRY_CAST(${text} AS DECIMAL(38, 6)) ${operator} ${literal(BigInt(value).toString())}::DECIMAL(38, 6), ${rough}))`;
}

/** SQL that is true if the number of a column is one of some; NULL if the value is not a number. */
export function equalsAnyNumber({ number, float }: ColumnSql, values: readonly number[]): string {
  return float === undefined
    ? `${number} IN (${values.map(numeric).join(', ')})`
    : `${float} IN (${values.map(asFloat).join(', ')})`;
}

const widestDecimal = 1e32;

/** A bound beyond the range of a FLOAT becomes infinite, which compares as it should. */
function asFloat(value: number): string {
  return `${literal(String(Math.fround(value)).replace('Infinity', 'inf'))}::FLOAT`;
}
