import type { RuleRecord } from '../../service/store.ts';
import type { ColumnSql } from './column-sql.ts';
import { type DateFormat, readDateFormat } from '../../service/date-format.ts';
import { dateFormatCondition } from './date-format.ts';
import { literal, numeric } from './quote.ts';

/** The part of a rule that decides which rows are invalid. */
export type Criterion = Pick<RuleRecord, 'rule_type' | 'rule_config' | 'treat_null_as_valid'>;

/** What a check reads: where the rows come from, and what is said of each. */
export interface Checked {
  /** What stands in FROM. */
  readonly reading: string;
  /** True for a valid row; false or NULL for an invalid one. */
  readonly valid: string;
  /** Aggregate that counts the valid rows; default: those for which `valid` is true. */
  readonly validCount?: string;
  /** The value of a sample, as JSON text. */
  readonly sample: string;
  /** The 0-based row of the file. */
  readonly row: string;
  /** Whether rows keep the order of the file while they are read, so that the first samples end the reading. */
  readonly ordered: boolean;
}

/** Counts the rows, and those that are invalid. */
export function countQuery({ reading, valid, validCount }: Checked): string {
  // Counting the valid ones is quicker than asking of each row whether it is not.
  const count = validCount ?? `count(*) FILTER (WHERE ${valid})`;
  return `SELECT count(*)::DOUBLE, (count(*) - ${count})::DOUBLE FROM ${reading}`;
}

/** Lists the first invalid rows of the file. */
export function sampleQuery({ reading, valid, sample, row, ordered }: Checked, limit: number): string {
  return `SELECT __dq_row::DOUBLE, __dq_sample FROM (
    SELECT ${row} AS __dq_row, ${sample} AS __dq_sample, (${valid}) IS NOT TRUE AS __dq_invalid FROM ${reading}
  ) WHERE __dq_invalid ${ordered ? '' : 'ORDER BY __dq_row'} LIMIT ${limit}`;
}

/** What a UNIQUE check reads. */
export interface UniqueChecked {
  readonly reading: string;
  readonly column: ColumnSql;
  /** The 0-based row of the file. */
  readonly row: string;
  readonly treatNullAsValid: boolean;
}

/**
 * Counts the rows, and those whose value another row has too, and lists the first row of the first such values as
 * JSON: one grouping, not a comparison of rows.
 */
export function uniqueCountQuery(checked: UniqueChecked, limit: number): string {
  const { reading, column, row, treatNullAsValid } = checked;
  const isInvalid = treatNullAsValid
    ? '__dq_value IS NOT NULL AND __dq_rows > 1'
    : '__dq_value IS NULL OR __dq_rows > 1';
  // Counting rows in the order of the file takes time of its own.
  const [rowColumn, first, firsts] =
    limit === 0
      ? ['', '', '']
      : [
          `, ${row} AS __dq_row`,
          ', min(__dq_row) AS __dq_first',
          `, to_json(min(__dq_first, ${limit}) FILTER (WHERE ${isInvalid}))::VARCHAR`,
        ];
  return `SELECT coalesce(sum(__dq_rows), 0)::DOUBLE, coalesce(sum(__dq_rows) FILTER (WHERE ${isInvalid}), 0)::DOUBLE${firsts}
    FROM (SELECT __dq_value, count(*) AS __dq_rows${first}
          FROM (SELECT ${column.value} AS __dq_value${rowColumn} FROM ${reading}) GROUP BY __dq_value)`;
}

/** Lists the first rows whose value another row has too, given the first rows of the first such values. */
export function uniqueSampleQuery(checked: UniqueChecked, firsts: readonly number[], limit: number): string {
  const { reading, column, row } = checked;
  const values = `SELECT ${row} AS __dq_row, ${column.json} AS __dq_sample, ${column.value} AS __dq_value FROM ${reading}`;
  const head = `${values} LIMIT ${Math.max(...firsts) + 1}`;
  // As each first row is a sample itself, there are enough of them up to the last one.
  const searched = firsts.length < limit ? values : head;
  return `SELECT __dq_row::DOUBLE, __dq_sample FROM (${searched}) AS searched
    WHERE EXISTS (FROM (${head}) AS head WHERE head.__dq_row IN (${firsts.join(', ')})
                  AND head.__dq_value IS NOT DISTINCT FROM searched.__dq_value)
    ORDER BY __dq_row LIMIT ${limit}`;
}

/** True for a valid row, for an expression over it; `column` is the one the rule names, if it does. */
export function expressionCondition(
  expression: string,
  column: ColumnSql | undefined,
  treatNullAsValid: boolean,
): string {
  if (!treatNullAsValid) return expression;
  return column === undefined ? `${expression} IS NOT FALSE` : `${column.isNull} OR ${expression}`;
}

/** True for a valid row, for the rules that look at one value at a time; a value that can't be judged makes it NULL. */
export function valueCondition(criterion: Criterion, column: ColumnSql): string {
  const condition = judgement(criterion, column);
  const nullIsValid =
    criterion.rule_type !== 'NOT_NULL' && (criterion.treat_null_as_valid || allowsNull(criterion));
  return nullIsValid ? `${column.isNull} OR (${condition})` : condition;
}

function judgement({ rule_type, rule_config }: Criterion, column: ColumnSql): string {
  const config = rule_config ?? {};
  const isPresent = `NOT (${column.isNull})`;
  switch (rule_type) {
    case 'NOT_NULL':
      return isPresent;
    case 'REGEX':
      return `regexp_matches(${column.text}, ${literal(String(config['pattern']))})`;
    case 'RANGE':
      return rangeCondition(config['min'], config['max'], column);
    case 'ENUM':
      return enumCondition(allowedValues(config), column);
    case 'DATE_FORMAT':
      return column.isTemporal ? isPresent : dateCondition(readDateFormat(String(config['format'])), column);
    default:
      throw new TypeError(`${rule_type} does not look at one value at a time`);
  }
}

function rangeCondition(min: unknown, max: unknown, { number, wholeNumber }: ColumnSql): string {
  const bounds = [
    ...(typeof min === 'number' ? [{ operator: '>=', bound: min, whole: Math.ceil(min) }] : []),
    ...(typeof max === 'number' ? [{ operator: '<=', bound: max, whole: Math.floor(max) }] : []),
  ];
  // Whole numbers are compared as such: twice as fast, and exact where a double is not.
  const compare = bounds.map(({ operator, bound, whole }) =>
    wholeNumber !== undefined && Number.isSafeInteger(whole)
      ? `${wholeNumber} ${operator} ${whole}`
      : `${number} ${operator} ${numeric(bound)}`,
  );
  return compare.length === 0 ? `${number} IS NOT NULL` : compare.join(' AND ');
}

function allowedValues(config: Readonly<Record<string, unknown>>): readonly unknown[] {
  const allowed = config['allowed_values'];
  return Array.isArray(allowed) ? allowed : [];
}

function allowsNull({ rule_type, rule_config }: Criterion): boolean {
  return rule_type === 'ENUM' && allowedValues(rule_config ?? {}).includes(null);
}

function enumCondition(allowed: readonly unknown[], { number, text }: ColumnSql): string {
  const numbers = allowed.filter((value) => typeof value === 'number');
  const texts = allowed.filter((value) => typeof value === 'string' || typeof value === 'boolean');
  return [
    'false',
    ...(numbers.length === 0 ? [] : [`${number} IN (${numbers.map(numeric).join(', ')})`]),
    ...(texts.length === 0
      ? []
      : [`${text} IN (${texts.map((value) => literal(String(value))).join(', ')})`]),
  ].join(' OR ');
}

function dateCondition(format: DateFormat | string, column: ColumnSql): string {
  return typeof format === 'string' ? 'false' : dateFormatCondition(format, column.text);
}
