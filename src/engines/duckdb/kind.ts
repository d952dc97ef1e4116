import type { ColumnSql, SourceColumn } from './column-sql.ts';

/**
 * How an expression sees the text of a csv or JSON.
 *
 * A column is read as numbers, times or booleans if more than half of its values are that; a value that is not is then
 * null, and so its row is not valid. With exactly half or less, or without a value, the column is text. If the
 * expression does not allow that type (`v > 0` over a file that has only its header, `v <> 'n/a'` over numbers), the
 * first of the other types that it does allow is taken. So a header, a column of nulls and one `n/a` among a thousand
 * numbers behave alike, and no row of data decides whether a rule can be evaluated.
 */
export type Kind = 'text' | 'whole' | 'number' | 'date' | 'time' | 'boolean';

/** The kind of each column that is not read with its own type. */
export type Kinds = ReadonlyMap<SourceColumn, Kind>;

/** A number of values of a column; numbers come before times, and times before booleans. */
type Fact = 'values' | 'numbers' | 'wholes' | 'fractions' | 'times' | 'dates' | 'booleans';

const allFacts: readonly Fact[] = ['values', 'numbers', 'wholes', 'times', 'dates', 'booleans'];

/** The facts that show that a column is of a kind. */
const proofs: Readonly<Record<Kind, readonly Fact[]>> = {
  whole: ['values', 'numbers', 'wholes'],
  number: ['values', 'numbers', 'fractions'],
  date: ['values', 'numbers', 'times', 'dates'],
  time: ['values', 'numbers', 'times', 'dates'],
  boolean: ['values', 'numbers', 'times', 'booleans'],
  text: ['values', 'numbers', 'times', 'booleans'],
};

/** Aggregates from which {@link kindFrom} finds the kind of a column. */
export function kindAggregates(sql: ColumnSql): readonly string[] {
  return allFacts.map((fact) => factSql[fact](sql));
}

/** Aggregates from which {@link isProven} finds whether a column is of a kind: fewer than find the kind. */
export function proofAggregates(kind: Kind, sql: ColumnSql): readonly string[] {
  return proofs[kind].map((fact) => factSql[fact](sql));
}

/** Finds the kind of a column from the values of {@link kindAggregates}. */
export function kindFrom(values: readonly unknown[]): Kind {
  return kindOfFacts(allFacts, values) ?? 'number';
}

/** Whether the values of {@link proofAggregates} show that a column is of that kind. */
export function isProven(kind: Kind, values: readonly unknown[]): boolean {
  return kindOfFacts(proofs[kind], values) === kind;
}

/** The kind that facts show; undefined if they leave it open. */
function kindOfFacts(facts: readonly Fact[], values: readonly unknown[]): Kind | undefined {
  // A fact that is not there is not a number, which equals nothing and exceeds nothing.
  const count = (fact: Fact): number => Number(values[facts.indexOf(fact)]);
  const isMost = (fact: Fact): boolean => count(fact) * 2 > count('values');
  if (isMost('numbers')) {
    if (count('wholes') === count('numbers')) return 'whole';
    return count('wholes') < count('numbers') || count('fractions') > 0 ? 'number' : undefined;
  }
  if (isMost('times')) return count('dates') === count('times') ? 'date' : 'time';
  return isMost('booleans') ? 'boolean' : 'text';
}

const factSql: Readonly<Record<Fact, (sql: ColumnSql) => string>> = {
  values: ({ count }) => `${count}::DOUBLE`,
  numbers: ({ number }) => `count(${number})::DOUBLE`,
  wholes: ({ number, text }) =>
    countIf(`${number} IS NOT NULL`, `regexp_full_match(${text}, '[+-]?[0-9]{1,18}')`),
  fractions: ({ number, text }) => countIf(`${number} IS NOT NULL`, `contains(${text}, '.')`),
  times: ({ number, text }) =>
    `count(CASE WHEN ${number} IS NULL AND ${mayBeTime(text)} THEN TRY_CAST(${text} AS TIMESTAMP) END)::DOUBLE`,
  dates: ({ number, text }) =>
    countIf(`${number} IS NULL`, `${text} < ':'`, `regexp_full_match(${text}, '[0-9]{4}-[0-9]{2}-[0-9]{2}')`),
  booleans: ({ number, text }) =>
    countIf(`${number} IS NULL`, `${text} BETWEEN 'F' AND 'u'`, `lower(${text}) IN ('true', 'false')`),
};

/** Counts the rows that meet all conditions: each looked at only for what the one before has left over, as by no FILTER. */
function countIf(...conditions: readonly string[]): string {
  return `count(CASE WHEN ${conditions.join(' AND ')} THEN 1 END)::DOUBLE`;
}

/**
 * Whether a text may be a time, found more cheaply than by an attempt to read it: it begins with a digit, a sign or a
 * blank and has a separator, or it begins like a word for a time.
 */
function mayBeTime(text: string): string {
  const hasSeparator = ['-', '/', '\\', ' '].map((separator) => `contains(${text}, '${separator}')`);
  const isWord = `strlen(${text}) >= 3 AND lower(left(${text}, 2)) IN ('ep', 'in')`;
  return `((${text} < ':' AND (${hasSeparator.join(' OR ')})) OR (${text} BETWEEN 'E' AND 'j' AND ${isWord}))`;
}
