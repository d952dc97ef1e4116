import type { DateField, DateFormat, DatePart } from '../../../service/date-format.ts';
import type { ColumnSql } from '../column-sql.ts';
import { literal } from '../quote.ts';

/**
 * SQL of DATE_FORMAT: true if the text is a date in the format, or the type itself is one. strptime alone is not strict: it skips blanks, ignores a wrong
 * weekday and takes day 366 of a short year for the next one.
 */
export function dateFormatCondition({ fields }: DateFormat, column: ColumnSql): string {
  const { isTemporal, isNull, text, isDay, isPlainDay } = column;
  if (isTemporal) return `NOT (${isNull})`;
  if (fields.length === 0) return 'false';
  const matches = `regexp_full_match(${text}, ${literal(patternOf(fields))})`;
  // Several rules share the reading of such a day; most are written in full, and only the others need the pattern.
  if (isPlain(fields)) return `${isPlainDay} OR (${matches} AND ${isDay})`;
  const has = (part: DatePart): boolean => fields.some((field) => field.part === part);
  // The pattern has checked the offset; without it, the weekday is that of the place, not that of Greenwich.
  const local = has('offset')
    ? `regexp_replace(${text}, ${patternAround(fields, 'offset', '$')}, '\\1\\3')`
    : text;
  const directives = fields.flatMap(({ part, directive }) => (part === 'offset' ? [] : directive)).join('');
  // Without a year it would be 1900, which had no 29 February.
  const parsed = has('year')
    ? `try_strptime(${local}, ${literal(directives)})`
    : `try_strptime('2000 ' || ${local}, ${literal(`%Y ${directives}`)})`;
  const isWholeDay = has('year') && ((has('month') && has('day')) || has('day of year'));
  const weekday = fields.find(({ part }) => part === 'weekday');
  return [
    matches,
    `${parsed} IS NOT NULL`,
    ...(has('day of year')
      ? [`dayofyear(${parsed}) = TRY_CAST(${written(fields, 'day of year', text)} AS INTEGER)`]
      : []),
    ...(isWholeDay && weekday !== undefined
      ? [
          `lower(strftime(${parsed}, ${literal(weekday.directive)})) = lower(${written(fields, 'weekday', text)})`,
        ]
      : []),
  ].join(' AND ');
}

/** Whether a format is year, month and day in digits, as in 2024-02-29. */
function isPlain(fields: readonly DateField[]): boolean {
  const names = fields.map(({ part, directive }) => (part === undefined ? directive : part)).join('');
  const isNumeric = fields.every(({ part, pattern }) => part === undefined || pattern.startsWith('[0-9]'));
  return names === 'year-month-day' && isNumeric && fields[0]?.directive === '%Y';
}

function written(fields: readonly DateField[], part: DatePart, text: string): string {
  return `regexp_extract(${text}, ${patternAround(fields, part, '')}, 2)`;
}

/** A pattern of three groups: what precedes a part, the part, and what follows. */
function patternAround(fields: readonly DateField[], part: DatePart, end: string): string {
  const at = fields.findIndex((field) => field.part === part);
  const groups = [fields.slice(0, at), fields.slice(at, at + 1), fields.slice(at + 1)];
  return literal(`^${groups.map((group) => `(${patternOf(group)})`).join('')}${end}`);
}

function patternOf(fields: readonly DateField[]): string {
  return fields.map(({ pattern }) => pattern).join('');
}
