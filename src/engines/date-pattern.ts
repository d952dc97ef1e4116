import type { DateField, DatePart } from '../service/date-format.ts';

/** What a text has to match to be a date in a format: checks that parse nothing, so that nothing can raise. */
export interface DatePatterns {
  /** Matches a date whose parts are each within their bounds. */
  readonly shape: string;
  /** Matches days that their month never has, such as 30 February. */
  readonly never: readonly string[];
  /** Days that only leap years have; both patterns match one in a leap year. */
  readonly leap: readonly { readonly day: string; readonly inLeapYear: string }[];
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
const weekdays = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');

type Replacements = Readonly<Partial<Record<DatePart, (field: DateField) => string>>>;

const february = (field: DateField): string => monthPattern(field, [2]);

/** Patterns of a date format, in the syntax that RE2 and POSIX share. */
export function datePatterns(fields: readonly DateField[]): DatePatterns {
  const has = (part: DatePart): boolean => fields.some((field) => field.part === part);
  const pattern = (replacements: Replacements): string => anchored(fields, replacements);
  const isMonthDay = has('month') && has('day');
  const leap = [
    ...(has('year') && isMonthDay ? [{ month: february, day: () => '29' }] : []),
    ...(has('year') && has('day of year') ? [{ 'day of year': () => '366' }] : []),
  ];
  return {
    shape: pattern({}),
    never: isMonthDay
      ? [
          pattern({ month: february, day: () => '3[01]' }),
          pattern({ month: (field) => monthPattern(field, [4, 6, 9, 11]), day: () => '31' }),
        ]
      : [],
    leap: leap.map((day) => ({ day: pattern(day), inLeapYear: pattern({ ...day, year: leapYear }) })),
  };
}

/** The weekday of a format that has a whole date, to be compared with the date. */
export function writtenWeekday(fields: readonly DateField[]): DateField | undefined {
  const has = (part: DatePart): boolean => fields.some((field) => field.part === part);
  const isDay = has('year') && ((has('month') && has('day')) || has('day of year'));
  return isDay ? fields.find(({ part }) => part === 'weekday') : undefined;
}

/** A pattern whose one group is a part of the format. */
export function partPattern(fields: readonly DateField[], part: DatePart): string {
  const written = fields.map((field) =>
    field.part === part ? `(${strict(field)})` : `(?:${strict(field)})`,
  );
  return `^${written.join('')}$`;
}

function anchored(fields: readonly DateField[], replacements: Replacements): string {
  const written = fields.map((field) => {
    const replacement = field.part && replacements[field.part];
    return `(?:${replacement?.(field) ?? strict(field)})`;
  });
  return `^${written.join('')}$`;
}

/** The pattern of a field that takes only what the calendar and the clock have. */
function strict(field: DateField): string {
  const { part, directive, pattern } = field;
  const zero = isTwoDigits(field) ? '0' : '0?';
  switch (part) {
    case 'month':
      return monthPattern(field, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    case 'day':
      return `3[01]|[12][0-9]|${zero}[1-9]`;
    case 'day of year':
      return '36[0-6]|3[0-5][0-9]|[12][0-9][0-9]|0?[1-9][0-9]|0?0?[1-9]';
    case 'weekday':
      return namesPattern(directive === '%A' ? weekdays : weekdays.map(abbreviated));
    case 'hour':
      return directive.endsWith('I') ? `1[0-2]|${zero}[1-9]` : `2[0-3]|1[0-9]|${zero}[0-9]`;
    case 'minute':
    case 'second':
      return isTwoDigits(field) ? '[0-5][0-9]' : '[0-5]?[0-9]';
    default:
      return pattern;
  }
}

function isTwoDigits({ pattern }: DateField): boolean {
  return pattern === '[0-9]{2}';
}

function monthPattern(field: DateField, numbers: readonly number[]): string {
  const names = numbers.map((number) => months[number - 1] ?? '');
  if (field.directive === '%B') return namesPattern(names);
  if (field.directive === '%b') return namesPattern(names.map(abbreviated));
  const zero = isTwoDigits(field) ? '0' : '0?';
  return numbers
    .toReversed()
    .map((number) => (number < 10 ? `${zero}${number}` : String(number)))
    .join('|');
}

/** Years that 4 divides, and of the centuries those that 400 divides. Of two digits, 00 is the year 2000. */
function leapYear({ directive }: DateField): string {
  const fours = '0[48]|[2468][048]|[13579][26]';
  return directive === '%y' ? `00|${fours}` : `[0-9][0-9](?:${fours})|(?:[02468][048]|[13579][26])00`;
}

function abbreviated(name: string): string {
  return name.slice(0, 3);
}

function namesPattern(names: readonly string[]): string {
  return names
    .map((name) => Array.from(name, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`).join(''))
    .join('|');
}
