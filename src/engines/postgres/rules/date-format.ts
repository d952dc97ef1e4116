import type { DateFormat } from '../../../service/date-format.ts';
import { datePatterns, partPattern, writtenWeekday } from '../../date-pattern.ts';
import type { ColumnSql } from '../column-sql.ts';
import { literal } from '../quote.ts';

/** SQL of DATE_FORMAT: true if the text is a date in the format, or the type itself is one. */
export function dateFormatCondition(
  { fields }: DateFormat,
  { kind, plain, text }: Pick<ColumnSql, 'kind' | 'plain' | 'text'>,
): string {
  if (kind === 'temporal') return `${plain} IS NOT NULL`;
  if (fields.length === 0) return 'false';
  const matches = (pattern: string) => `${text} ~ ${literal(pattern)}`;
  const { shape, never, leap } = datePatterns(fields);
  const isDate = [
    matches(shape),
    ...never.map((pattern) => `NOT ${matches(pattern)}`),
    ...leap.map(({ day, inLeapYear }) => `(NOT ${matches(day)} OR ${matches(inLeapYear)})`),
  ].join(' AND ');
  const weekday = writtenWeekday(fields);
  if (weekday === undefined) return isDate;
  const part = (name: Parameters<typeof partPattern>[1]) =>
    `substring(${text} from ${literal(partPattern(fields, name))})`;
  const has = (name: string) => fields.some((field) => field.part === name);
  const century = fields.some(({ directive }) => directive === '%y');
  const year = `${part('year')}::int`;
  const fullYear = century ? `(${year} + CASE WHEN ${year} >= 69 THEN 1900 ELSE 2000 END)` : year;
  const month = fields.some(({ part: name, pattern }) => name === 'month' && pattern.startsWith('[0-9]'))
    ? `${part('month')}::int`
    : `(strpos('janfebmaraprmayjunjulaugsepoctnovdec', lower(left(${part('month')}, 3))) + 2) / 3`;
  const date = has('day of year')
    ? `make_date(${fullYear}, 1, 1) + (${part('day of year')}::int - 1)`
    : `make_date(${fullYear}, ${month}, ${part('day')}::int)`;
  // PostgreSQL has no year 0. The order of a CASE is kept, so that nothing is computed from what is not a
  // date.
  return `CASE WHEN NOT (${isDate}) THEN false WHEN ${fullYear} = 0 THEN false
    ELSE to_char(${date}, 'dy') = lower(left(${part('weekday')}, 3)) END`;
}
