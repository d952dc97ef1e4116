import { type ColumnSql, exactNumberInText, isFinite, isFiniteNumeric } from './column-sql.ts';
import { numeric } from './quote.ts';

/** SQL that compares the number of a column with a number; false or NULL if the value is not a number. */
export function compareNumber(column: ColumnSql, operator: '<=' | '>=' | '=', value: number): string {
  const { kind, plain, text, number } = column;
  switch (kind) {
    case 'whole': {
      if (operator === '=' && !Number.isInteger(value)) return 'false';
      const whole = operator === '>=' ? Math.ceil(value) : Math.floor(value);
      return `${plain} ${operator} ${BigInt(whole)}`;
    }
    case 'numeric':
      return `(${isFiniteNumeric(plain)} AND ${plain} ${operator} ${numeric(value, 'numeric')})`;
    case 'real':
      // 0.1 as a real is not 0.1 as a double.
      return `(${isFinite(plain)} AND ${plain} ${operator} ${numeric(Math.fround(value), 'real')})`;
    case 'double':
      return `(${isFinite(plain)} AND ${plain} ${operator} ${numeric(value, 'float8')})`;
    case 'text':
    case 'json':
      // A double cannot represent each whole number from here on.
      return Math.abs(value) > Number.MAX_SAFE_INTEGER
        ? `${exactNumberInText(text)} ${operator} ${numeric(value, 'numeric')}`
        : `${number} ${operator} ${numeric(value, 'float8')}`;
    default:
      return 'NULL::boolean';
  }
}
