/** What a part of a date format means. */
export type DatePart =
  | 'year'
  | 'month'
  | 'day'
  | 'day of year'
  | 'weekday'
  | 'hour'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'half of the day'
  | 'offset'
  | 'time zone';

/** A part of a date format, in terms that engines have in common. */
export interface DateField {
  /** `undefined` for literal text. */
  readonly part: DatePart | undefined;
  /** For strptime; literal text with its percent signs doubled. */
  readonly directive: string;
  /** Regular expression of the texts it takes, in the syntax that RE2, POSIX and JavaScript share. */
  readonly pattern: string;
}

/** A date format that can be checked. */
export interface DateFormat {
  readonly fields: readonly DateField[];
}

/** Most characters of a date format. */
const longestFormat = 100;

// Of months and weekdays, in English.
const name = '[A-Za-z]+';
// Offsets go from -14:00 to +14:00.
const offset = '(?:Z|[+-](?:(?:0[0-9]|1[0-3])(?::?[0-5][0-9])?|14(?::?00)?))';
const halfOfDay = '[AaPp][Mm]';

function digits(count: string): string {
  return `[0-9]{${count}}`;
}

function field(part: DatePart, directive: string, pattern: string): DateField {
  return { part, directive, pattern };
}

const month = { two: field('month', '%m', digits('2')), any: field('month', '%-m', digits('1,2')) };
const minute = { two: field('minute', '%M', digits('2')), any: field('minute', '%-M', digits('1,2')) };

/** What strptime knows, each with the width it allows. */
const directives: ReadonlyMap<string, DateField> = new Map(
  [
    field('year', '%Y', digits('4')),
    field('year', '%y', digits('2')),
    field('month', '%m', digits('1,2')),
    month.any,
    field('month', '%B', name),
    field('month', '%b', name),
    field('day', '%d', digits('1,2')),
    field('day', '%-d', digits('1,2')),
    field('day of year', '%j', digits('1,3')),
    field('day of year', '%-j', digits('1,3')),
    field('weekday', '%A', name),
    field('weekday', '%a', name),
    field('hour', '%H', digits('1,2')),
    field('hour', '%-H', digits('1,2')),
    field('hour', '%I', digits('1,2')),
    field('hour', '%-I', digits('1,2')),
    field('minute', '%M', digits('1,2')),
    minute.any,
    field('second', '%S', digits('1,2')),
    field('second', '%-S', digits('1,2')),
    field('fraction', '%g', digits('1,3')),
    field('fraction', '%f', digits('1,6')),
    field('fraction', '%n', digits('1,9')),
    field('half of the day', '%p', halfOfDay),
    field('offset', '%z', offset),
    field('time zone', '%Z', '[^ ]+'),
  ].map((known) => [known.directive, known]),
);

/** Tokens as in `YYYY-MM-DD HH:mm:ss`, each with its exact width; those of one letter take one or two digits. */
const tokens: ReadonlyMap<string, DateField> = new Map([
  ['YYYY', field('year', '%Y', digits('4'))],
  ['yyyy', field('year', '%Y', digits('4'))],
  ['YY', field('year', '%y', digits('2'))],
  ['yy', field('year', '%y', digits('2'))],
  ['MMMM', field('month', '%B', name)],
  ['MMM', field('month', '%b', name)],
  ['MM', month.two],
  ['M', month.any],
  ['DD', field('day', '%d', digits('2'))],
  ['dd', field('day', '%d', digits('2'))],
  ['D', field('day', '%-d', digits('1,2'))],
  ['d', field('day', '%-d', digits('1,2'))],
  ['dddd', field('weekday', '%A', name)],
  ['ddd', field('weekday', '%a', name)],
  ['HH', field('hour', '%H', digits('2'))],
  ['H', field('hour', '%-H', digits('1,2'))],
  ['hh', field('hour', '%I', digits('2'))],
  ['h', field('hour', '%-I', digits('1,2'))],
  ['mm', minute.two],
  ['m', minute.any],
  ['ss', field('second', '%S', digits('2'))],
  ['s', field('second', '%-S', digits('1,2'))],
  ['SSS', field('fraction', '%g', digits('3'))],
  ['SSSSSS', field('fraction', '%f', digits('6'))],
  ['A', field('half of the day', '%p', halfOfDay)],
  ['a', field('half of the day', '%p', halfOfDay)],
  ['ZZ', field('offset', '%z', offset)],
  ['Z', field('offset', '%z', offset)],
]);

const tokenPattern = new RegExp(
  // An opening bracket ends the one before it, so that no text is looked at twice.
  String.raw`\[[^[\]]*\]|${[...tokens.keys()].toSorted((a, b) => b.length - a.length).join('|')}|T|[A-Za-z]+|[^]`,
  'gu',
);
const directivePattern = /%-?[^]|[^]/gu;

/**
 * Reads a date format: strptime if it contains a `%`, else tokens, with `[literal text]` in brackets. Returns what is
 * wrong with it as a text.
 */
export function readDateFormat(format: string): DateFormat | string {
  if (format.length > longestFormat) return `A date format has at most ${longestFormat} characters`;
  const read = format.includes('%') ? readDirectives(format) : readTokens(format);
  if (typeof read === 'string') return read;
  const parts = read.flatMap(({ part }) => part ?? []);
  if (parts.length === 0) return `The format does not contain any part of a date. ${knownTokens}`;
  const repeated = parts.find((part, at) => parts.indexOf(part) !== at);
  if (repeated !== undefined) return `The format contains the ${repeated} twice`;
  return { fields: read };
}

const knownTokens = `Known parts: ${[...tokens.keys()].join(', ')}; other text in [brackets]`;
const knownDirectives = `Known parts: ${[...directives.keys()].join(', ')}, and %% for a percent sign`;

function readDirectives(format: string): readonly DateField[] | string {
  const fields: DateField[] = [];
  for (const part of format.match(directivePattern) ?? []) {
    const known = directives.get(part);
    if (known === undefined && part.startsWith('%') && part !== '%%') {
      return `"${part}" is not a part of a date format. ${knownDirectives}`;
    }
    fields.push(known ?? literalText(part === '%%' ? '%' : part));
  }
  return fields;
}

function readTokens(format: string): readonly DateField[] | string {
  const fields: DateField[] = [];
  for (const part of format.match(tokenPattern) ?? []) {
    const known = tokens.get(part);
    // The T of ISO 8601 is the one letter that everybody writes without brackets.
    if (known === undefined && /^[A-Za-z]/.test(part) && part !== 'T') {
      return `"${part}" is not a part of a date format. ${knownTokens}`;
    }
    fields.push(known ?? literalText(/^\[.*\]$/su.test(part) ? part.slice(1, -1) : part));
  }
  return withMonths(fields);
}

/** `mm` means months, as in `yyyy-mm-dd`, unless it is beside hours or seconds, or months are there already. */
function withMonths(fields: readonly DateField[]): readonly DateField[] {
  if (fields.some(({ part }) => part === 'month')) return fields;
  return fields.map((it, at) => {
    if (it.part !== 'minute') return it;
    const before = fields.slice(0, at).findLast(({ part }) => part !== undefined);
    const after = fields.slice(at + 1).find(({ part }) => part !== undefined);
    if (before?.part === 'hour' || after?.part === 'second') return it;
    return it.directive === minute.two.directive ? month.two : month.any;
  });
}

function literalText(text: string): DateField {
  return {
    part: undefined,
    directive: text.replaceAll('%', '%%'),
    pattern: text.replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`),
  };
}
