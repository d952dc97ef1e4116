import type { ColumnSql } from './column-sql.ts';
import { numeric } from './quote.ts';

// What an Int64 or UInt64 can be compared with as a whole number.
const widest = 2n ** 64n;

/** SQL that compares the number of a column with a number; false or NULL if the value is not a number. */
export function compareNumber(column: ColumnSql, operator: '<=' | '>=' | '=', value: number): string {
  const { kind, base, plain, number } = column;
  if (kind === 'whole') {
    if (operator === '=' && !Number.isInteger(value)) return '0';
    const whole = BigInt(operator === '>=' ? Math.ceil(value) : Math.floor(value));
    if (whole < widest && whole >= -widest / 2n) return `${plain} ${operator} ${whole}`;
    return `${number} ${operator} ${numeric(value)}`;
  }
  // 0.1 as a Float32 is not 0.1 as a Float64.
  const bound = base === 'Float32' ? numeric(Math.fround(value)) : numeric(value);
  return `${number} ${operator} ${bound}`;
}
