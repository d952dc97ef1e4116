import { identifier } from './quote.ts';

/** A column as a reading gives it. */
export interface Column {
  readonly name: string;
  /** Type in the words of DuckDB. */
  readonly type: string;
}

/** What SQL says to the value of a column in one row. */
export interface ColumnSql {
  readonly isNull: string;
  /** The value itself: what is compared with other rows. */
  readonly value: string;
  /** The value as text. */
  readonly text: string;
  /** The value as a finite double; NULL where it is no number. */
  readonly number: string;
  /** The value itself where its type holds whole numbers alone. */
  readonly wholeNumber?: string;
  /** The value as JSON text, for an answer. */
  readonly json: string;
  /** Whether the type itself is a date or a timestamp. */
  readonly isTemporal: boolean;
}

const wideIntegers = new Set(['BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT']);

/** Writes the SQL of a column, by its type. */
export function columnSql({ name, type }: Column): ColumnSql {
  const value = identifier(name);
  const plain = { isNull: `${value} IS NULL`, value, isTemporal: false };
  if (type === 'JSON') {
    const text = `(${value} ->> '$')`;
    return { ...plain, text, number: numberInText(text), json: `${value}::VARCHAR` };
  }
  if (type === 'VARCHAR') {
    return { ...plain, text: value, number: numberInText(value), json: jsonOf(value) };
  }
  const typed = { ...plain, text: `${value}::VARCHAR`, json: jsonOf(value) };
  if (type === 'FLOAT' || type === 'DOUBLE') {
    const json = `CASE WHEN isfinite(${value}) THEN ${jsonOf(value)} ELSE ${jsonOf(`${value}::VARCHAR`)} END`;
    return { ...typed, number: finite(`${value}::DOUBLE`), json };
  }
  if (wideIntegers.has(type)) {
    // JSON.parse would round what a double can't hold.
    const safe = `${value} BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`;
    const json = `CASE WHEN ${safe} THEN ${jsonOf(value)} ELSE ${jsonOf(`${value}::VARCHAR`)} END`;
    return { ...typed, number: `${value}::DOUBLE`, wholeNumber: value, json };
  }
  if (/^U?(TINYINT|SMALLINT|INTEGER)$/.test(type)) {
    return { ...typed, number: `${value}::DOUBLE`, wholeNumber: value };
  }
  if (type.startsWith('DECIMAL')) return { ...typed, number: `${value}::DOUBLE` };
  return { ...typed, number: 'NULL::DOUBLE', isTemporal: /^(DATE|TIMESTAMP.*)$/.test(type) };
}

function jsonOf(value: string): string {
  return `to_json(${value})::VARCHAR`;
}

function finite(number: string): string {
  return `CASE WHEN isfinite(${number}) THEN ${number} END`;
}

/** DuckDB also reads 1_000 and inf as numbers. */
function numberInText(text: string): string {
  return `CASE WHEN NOT contains(${text}, '_') THEN ${finite(`TRY_CAST(${text} AS DOUBLE)`)} END`;
}
