import type { DatabaseColumn } from '../database/database.ts';
import { longestValue } from '../limits.ts';
import { identifier, literal } from './quote.ts';

/** What a column contains, as far as its SQL differs. */
export type Kind =
  'whole' | 'numeric' | 'real' | 'double' | 'text' | 'temporal' | 'boolean' | 'json' | 'other';

/** The SQL of the value of a column in one row. */
export interface ColumnSql {
  readonly kind: Kind;
  /** The column itself. */
  readonly plain: string;
  readonly isNull: string;
  /** What is compared with other rows: equal for equal values. */
  readonly value: string;
  /** The value as text, compared byte by byte. */
  readonly text: string;
  /** The value as a finite double; NULL if it is not a number. */
  readonly number: string;
}

const kinds: Readonly<Record<string, Kind>> = {
  smallint: 'whole',
  integer: 'whole',
  bigint: 'whole',
  numeric: 'numeric',
  real: 'real',
  'double precision': 'double',
  text: 'text',
  'character varying': 'text',
  character: 'text',
  '"char"': 'text',
  name: 'text',
  citext: 'text',
  date: 'temporal',
  'timestamp without time zone': 'temporal',
  'timestamp with time zone': 'temporal',
  boolean: 'boolean',
  json: 'json',
  jsonb: 'json',
};

/** Writes the SQL of a column, by its type. */
export function columnSql({ name, base }: Pick<DatabaseColumn, 'name' | 'base'>): ColumnSql {
  const plain = identifier(name);
  const kind = kinds[base] ?? 'other';
  // Without a language: what differs in a byte is different, and a class of characters is that of ASCII.
  const text =
    kind === 'json'
      ? `(${plain}::jsonb #>> '{}') COLLATE "C"`
      : base === 'text' || base === 'character varying'
        ? `${plain} COLLATE "C"`
        : `${plain}::text COLLATE "C"`;
  const numbers: Readonly<Partial<Record<Kind, string>>> = {
    whole: `${plain}::float8`,
    numeric: `CASE WHEN abs(${plain}) BETWEEN ${smallest} AND ${largest} THEN ${plain}::float8 WHEN abs(${plain}) < 1 THEN 0::float8 END`,
    real: `CASE WHEN ${isFinite(plain)} THEN ${plain}::float8 END`,
    double: `CASE WHEN ${isFinite(plain)} THEN ${plain} END`,
    text: numberInText(text),
    json: numberInText(text),
  };
  const values: Readonly<Partial<Record<Kind, string>>> = { json: `${plain}::jsonb`, text, other: text };
  return {
    kind,
    plain,
    isNull: `${plain} IS NULL`,
    value: values[kind] ?? plain,
    text,
    number: numbers[kind] ?? 'NULL::float8',
  };
}

/** The value as JSON text of bounded length, for a response; the hash keeps apart what begins alike. */
export function sampleSql(column: ColumnSql): string {
  const { kind, plain, text } = column;
  const safe = Number.MAX_SAFE_INTEGER;
  switch (kind) {
    case 'whole':
      // JSON.parse would round what a double cannot represent.
      return `CASE WHEN ${plain} BETWEEN -${safe} AND ${safe} THEN ${plain}::text ELSE to_json(${plain}::text)::text END`;
    case 'real':
    case 'double':
      // As the other engines write them.
      return `CASE WHEN ${isFinite(plain)} THEN to_json(${plain})::text ELSE to_json(replace(lower(${plain}::text), 'infinity', 'inf'))::text END`;
    case 'numeric':
    case 'boolean':
      return `to_json(${plain})::text`;
    default: {
      const json = kind === 'json' ? `${plain}::text` : `to_json(${kind === 'other' ? plain : text})::text`;
      const mark = `${literal('… (cut: ')} || length(${text}) || ' characters, md5 ' || md5(${text}) || ')'`;
      return `CASE WHEN length(${json}) > ${longestValue} THEN to_json(left(${text}, 200) || ${mark})::text ELSE ${json} END`;
    }
  }
}

/** Whether a value of a floating type is a number; NaN is more than infinity here. */
export function isFinite(plain: string): string {
  return `${plain} > '-Infinity' AND ${plain} < 'Infinity'`;
}

/** Whether a numeric fits into a double; so NaN and infinity do not. */
export function isFiniteNumeric(plain: string): string {
  return `abs(${plain}) <= ${largest}`;
}

// What lies between them fits into a double, which raises an error otherwise.
const largest = '1.7976931348623157e308::numeric';
const smallest = '1e-300::numeric';

const digits = String.raw`\s*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)`;
// Whatever has these lengths fits into a double, or a numeric.
const isShort = (text: string) =>
  `length(${text}) <= 100 AND ${text} ~ ${literal(`^${digits}([eE][+-]?[0-9]{1,2})?\\s*$`)}`;
const isLong = (text: string) =>
  `length(${text}) <= 1000 AND ${text} ~ ${literal(`^${digits}([eE][+-]?[0-9]{1,4})?\\s*$`)}`;

function numberInText(text: string): string {
  const wide = `(${text})::numeric`;
  return `CASE WHEN ${isShort(text)} THEN (${text})::float8
    WHEN ${isLong(text)} THEN CASE WHEN abs(${wide}) BETWEEN ${smallest} AND ${largest} THEN ${wide}::float8 WHEN abs(${wide}) < 1 THEN 0::float8 END END`;
}

/** The number in a text without rounding; NULL if it is not a number. */
export function exactNumberInText(text: string): string {
  return `CASE WHEN ${isLong(text)} THEN (${text})::numeric END`;
}
