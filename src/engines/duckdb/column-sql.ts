import { longestValue } from '../limits.ts';
import { identifier, literal } from './quote.ts';

/** A column of a table. */
export interface Column {
  /** As the file writes it. */
  readonly name: string;
  /** Type in the words of DuckDB. */
  readonly type: string;
}

/** A column as a reading gives it. */
export interface SourceColumn extends Column {
  /** Its name in SQL: another one if a name before it differs in case alone. */
  readonly readAs: string;
}

/** The SQL of the value of a column in one row. */
export interface ColumnSql {
  readonly isNull: string;
  /** How many rows have a value. */
  readonly count: string;
  /** What is compared with other rows: equal for equal values. */
  readonly value: string;
  /** The value as text. */
  readonly text: string;
  /** The value as a finite double; NULL if it is not a number. */
  readonly number: string;
  /** The value itself if its type allows only whole numbers. */
  readonly wholeNumber?: string;
  /** The value itself if it is a 32-bit float. */
  readonly float?: string;
  /** The value as JSON text of bounded length, for a response. */
  readonly json: string;
  /** Whether the type itself is a date or a timestamp. */
  readonly isTemporal: boolean;
  /** True if the text, which is written as year, month and day, is a day of the calendar. */
  readonly isDay: string;
  /** True for a text such as 2024-02-29 that is a day of the calendar; otherwise it may still be one. */
  readonly isPlainDay: string;
}

/** A column whose text and number are computed once in a scan, however many conditions look at them. */
export interface SharedColumn {
  readonly sql: ColumnSql;
  /** The columns of the table that {@link SharedColumn.sql} refers to itself, as a view has them. */
  readonly columns: ReadonlyMap<string, string>;
  /** What computes them, by the name that {@link SharedColumn.sql} uses: in steps, each from the ones before. */
  readonly steps: readonly ReadonlyMap<string, string>[];
}

const wideIntegers = new Set(['BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT']);

/** Writes the SQL of a column, by its type. */
export function columnSql({ readAs, type }: SourceColumn): ColumnSql {
  const value = identifier(readAs);
  const plain = { isNull: `${value} IS NULL`, count: `count(${value})`, value, isTemporal: false };
  if (type === 'JSON') {
    const text = textOfJson(value);
    return {
      ...plain,
      value: canonicalJson(value),
      text,
      number: numberInText(text),
      ...daysOf(text),
      json: bounded(`${value}::VARCHAR`, text),
    };
  }
  if (type === 'VARCHAR') {
    const number = numberInText(value);
    return { ...plain, text: value, number, ...daysOf(value), json: bounded(jsonOf(value), value) };
  }
  const text = `${value}::VARCHAR`;
  const typed = { ...plain, text, json: jsonOf(value), ...daysOf(text) };
  if (type === 'FLOAT' || type === 'DOUBLE') {
    const json = `CASE WHEN isfinite(${value}) THEN ${jsonOf(value)} ELSE ${jsonOf(text)} END`;
    const number = finite(`${value}::DOUBLE`);
    return { ...typed, number, json, ...(type === 'FLOAT' ? { float: value } : {}) };
  }
  if (wideIntegers.has(type)) {
    // JSON.parse would round what a double cannot represent.
    const safe = `${value} BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`;
    const json = `CASE WHEN ${safe} THEN ${jsonOf(value)} ELSE ${jsonOf(text)} END`;
    return { ...typed, number: `${value}::DOUBLE`, wholeNumber: value, json };
  }
  if (/^U?(TINYINT|SMALLINT|INTEGER)$/.test(type)) {
    return { ...typed, number: `${value}::DOUBLE`, wholeNumber: value };
  }
  if (type.startsWith('DECIMAL')) return { ...typed, number: `${value}::DOUBLE` };
  return {
    ...typed,
    number: 'NULL::DOUBLE',
    json: bounded(typed.json, text),
    isTemporal: /^(DATE|TIMESTAMP.*)$/.test(type),
  };
}

/**
 * Writes the SQL of a column over a view that computes what its conditions share, in columns that `ownName` names. Of a
 * text, nothing refers to the column itself: an expression beside it may see that as another type.
 */
export function sharedColumn(column: SourceColumn, ownName: (part: string) => string): SharedColumn {
  const own = columnSql(column);
  const columns = new Map([[column.readAs, identifier(column.readAs)]]);
  if (column.type !== 'VARCHAR' && column.type !== 'JSON') return { sql: own, columns, steps: [] };
  const name = (part: string): string => ownName(`${part}_${column.readAs}`);
  const [text, number, day, plainDay] = [name('text'), name('number'), name('day'), name('plain_day')];
  const textSql = columnSql({ name: text, readAs: text, type: 'VARCHAR' });
  const days = daysOf(textSql.text, identifier(day));
  const steps = [
    new Map([[text, own.text]]),
    new Map([
      [number, textSql.number],
      [day, dayInText(textSql.text)],
    ]),
    new Map([[plainDay, days.isPlainDay]]),
  ];
  const shared = {
    text: textSql.text,
    number: identifier(number),
    ...days,
    isPlainDay: identifier(plainDay),
  };
  if (column.type === 'VARCHAR') return { sql: { ...textSql, ...shared }, columns: new Map(), steps };
  const json = bounded(`${identifier(column.readAs)}::VARCHAR`, textSql.text);
  return { sql: { ...own, ...shared, json }, columns, steps };
}

function textOfJson(value: string): string {
  return `(${value} ->> '$')`;
}

function jsonOf(value: string): string {
  return `to_json(${value})::VARCHAR`;
}

/** The hash keeps apart what begins alike. */
function bounded(json: string, text: string): string {
  const mark = `'… (cut: ' || length(${text}) || ' characters, md5 ' || md5(${text}) || ')'`;
  return `CASE WHEN length(${json}) > ${longestValue} THEN to_json(left(${text}, 200) || ${mark})::VARCHAR ELSE ${json} END`;
}

function finite(number: string): string {
  return `CASE WHEN isfinite(${number}) THEN ${number} END`;
}

/** DuckDB also reads 1_000 and inf as numbers. */
function numberInText(text: string): string {
  // No finite number begins with a letter, and an attempt to read one that is not a number is expensive.
  return `CASE WHEN ${text} < ':' AND NOT contains(${text}, '_') THEN ${finite(`TRY_CAST(${text} AS DOUBLE)`)} END`;
}

function dayInText(text: string): string {
  return `TRY_CAST(${text} AS DATE)`;
}

function daysOf(text: string, day = dayInText(text)): Pick<ColumnSql, 'isDay' | 'isPlainDay'> {
  // Other texts that a day is written as, such as infinity or a year before Christ, have another length.
  return { isDay: `${day} IS NOT NULL`, isPlainDay: `(strlen(${text}) = 10 AND ${day}::VARCHAR = ${text})` };
}

const comparedLevels = 3;

/**
 * JSON as a text that is equal for equal values: 1 = 1.0 = 1e0, and the order of keys does not matter. Below the third
 * level, objects and lists are compared as they are written.
 */
function canonicalJson(value: string, levels = comparedLevels): string {
  const number = `TRY_CAST(${value}::VARCHAR AS DOUBLE)`;
  // Beyond, a double may represent several whole numbers.
  const isExact = `abs(${number}) <= ${Number.MAX_SAFE_INTEGER}`;
  const isWhole = `${isExact} AND ${number} = trunc(${number})`;
  const scalar = `WHEN 'DOUBLE' THEN CASE WHEN ${isWhole} THEN ${number}::BIGINT::VARCHAR WHEN ${isExact} THEN ${number}::VARCHAR ELSE ${value}::VARCHAR END`;
  if (levels === 0) return `CASE json_type(${value}) ${scalar} ELSE ${value}::VARCHAR END`;
  const [key, item] = [`__dq_key_${levels}`, `__dq_item_${levels}`];
  const pointer = `'/' || replace(replace(${key}, '~', '~0'), '/', '~1')`;
  const member = `to_json(${key})::VARCHAR || ':' || coalesce(${canonicalJson(`json_extract(${value}, ${pointer})`, levels - 1)}, '')`;
  const members = `list_transform(list_sort(json_keys(${value})), lambda ${key}: ${member})`;
  const items = `list_transform(json_extract(${value}, ${literal('$[*]')}), lambda ${item}: coalesce(${canonicalJson(item, levels - 1)}, ''))`;
  return `CASE json_type(${value}) ${scalar}
    WHEN 'OBJECT' THEN '{' || array_to_string(${members}, ',') || '}'
    WHEN 'ARRAY' THEN '[' || array_to_string(${items}, ',') || ']'
    ELSE ${value}::VARCHAR END`;
}
