import type { DateFormat, DatePart } from '../../../service/date-format.ts';
import { datePatterns, partPattern, writtenWeekday } from '../../date-pattern.ts';
import type { ColumnSql } from '../column-sql.ts';
import { literal } from '../quote.ts';

/** SQL of DATE_FORMAT: true if the text is a date in the format, or the type itself is one. */
export function dateFormatCondition({ fields }: DateFormat, { kind, plain, text }: ColumnSql): string {
  if (kind === 'temporal') return `isNotNull(${plain})`;
  if (fields.length === 0) return '0';
  const matches = (pattern: string) => `match(${text}, ${literal(pattern)})`;
  const { shape, never, leap } = datePatterns(fields);
  const isDate = [
    matches(shape),
    ...never.map((pattern) => `NOT ${matches(pattern)}`),
    ...leap.map(({ day, inLeapYear }) => `(NOT ${matches(day)} OR ${matches(inLeapYear)})`),
  ].join(' AND ');
  const weekday = writtenWeekday(fields);
  if (weekday === undefined) return isDate;
  const part = (name: DatePart) => `extract(assumeNotNull(${text}), ${literal(partPattern(fields, name))})`;
  const number = (name: DatePart) => `toInt32OrZero(${part(name)})`;
  const written = fields.find((field) => field.part === 'year');
  const year =
    written?.directive === '%y'
      ? `(${number('year')} + if(${number('year')} >= 69, 1900, 2000))`
      : number('year');
  const hasNumber = fields.some((field) => field.part === 'month' && field.pattern.startsWith('[0-9]'));
  const hasDays = fields.some((field) => field.part === 'day of year');
  const month = hasDays
    ? '1'
    : hasNumber
      ? number('month')
      : `indexOf([${monthNames.map(literal).join(', ')}], lower(substring(${part('month')}, 1, 3)))`;
  const day = number(hasDays ? 'day of year' : 'day');
  // Sakamoto's way: the types for dates begin with 1970. A year begins with March, and Sunday is 0.
  const before = `(${year} - if(${month} < 3, 1, 0))`;
  const leaps = `${before} + intDiv(${before}, 4) - intDiv(${before}, 100) + intDiv(${before}, 400)`;
  const index = `(${leaps} + arrayElement([0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4], ${month}) + ${day}) % 7`;
  const name = `arrayElement(['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'], ${index} + 1)`;
  return `${isDate} AND ${year} > 0 AND ${name} = lower(substring(${part('weekday')}, 1, 3))`;
}

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
