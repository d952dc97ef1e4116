/** How a text is held against a date format: it matches the pattern, and parses as a date that exists. */
export interface DateFormat {
  /** For strptime. */
  readonly format: string;
  /** Regular expression for the whole text. */
  readonly pattern: string;
  /** Whether a `Z` at its end says UTC, which strptime wants written as an offset. */
  readonly endsInZone: boolean;
}

interface Field {
  readonly directive: string;
  readonly pattern: string;
}

const name = String.raw`\p{L}+`;

const offset = String.raw`(?:Z|[+-]\d{2}(?::?\d{2})?)`;

/** What strptime knows, with the width it allows. */
const directives: Readonly<Record<string, string>> = {
  '%Y': String.raw`\d{4}`,
  '%y': String.raw`\d{2}`,
  '%m': String.raw`\d{1,2}`,
  '%-m': String.raw`\d{1,2}`,
  '%d': String.raw`\d{1,2}`,
  '%-d': String.raw`\d{1,2}`,
  '%H': String.raw`\d{1,2}`,
  '%-H': String.raw`\d{1,2}`,
  '%I': String.raw`\d{1,2}`,
  '%-I': String.raw`\d{1,2}`,
  '%M': String.raw`\d{1,2}`,
  '%-M': String.raw`\d{1,2}`,
  '%S': String.raw`\d{1,2}`,
  '%-S': String.raw`\d{1,2}`,
  '%f': String.raw`\d{1,6}`,
  '%g': String.raw`\d{1,3}`,
  '%n': String.raw`\d{1,9}`,
  '%j': String.raw`\d{1,3}`,
  '%-j': String.raw`\d{1,3}`,
  '%b': name,
  '%B': name,
  '%a': name,
  '%A': name,
  '%p': '(?i:[ap]m)',
  '%z': offset,
  '%Z': String.raw`\S+`,
  '%%': '%',
};

/** Tokens as in `YYYY-MM-DD HH:mm:ss`, each with its exact width; longer ones are tried first. */
const tokens: Readonly<Record<string, Field>> = {
  YYYY: { directive: '%Y', pattern: String.raw`\d{4}` },
  yyyy: { directive: '%Y', pattern: String.raw`\d{4}` },
  MMMM: { directive: '%B', pattern: name },
  dddd: { directive: '%A', pattern: name },
  SSSSSS: { directive: '%f', pattern: String.raw`\d{6}` },
  SSS: { directive: '%g', pattern: String.raw`\d{3}` },
  MMM: { directive: '%b', pattern: name },
  ddd: { directive: '%a', pattern: name },
  YY: { directive: '%y', pattern: String.raw`\d{2}` },
  yy: { directive: '%y', pattern: String.raw`\d{2}` },
  MM: { directive: '%m', pattern: String.raw`\d{2}` },
  DD: { directive: '%d', pattern: String.raw`\d{2}` },
  dd: { directive: '%d', pattern: String.raw`\d{2}` },
  HH: { directive: '%H', pattern: String.raw`\d{2}` },
  hh: { directive: '%I', pattern: String.raw`\d{2}` },
  mm: { directive: '%M', pattern: String.raw`\d{2}` },
  ss: { directive: '%S', pattern: String.raw`\d{2}` },
  ZZ: { directive: '%z', pattern: offset },
  M: { directive: '%-m', pattern: String.raw`\d{1,2}` },
  D: { directive: '%-d', pattern: String.raw`\d{1,2}` },
  d: { directive: '%-d', pattern: String.raw`\d{1,2}` },
  H: { directive: '%-H', pattern: String.raw`\d{1,2}` },
  h: { directive: '%-I', pattern: String.raw`\d{1,2}` },
  m: { directive: '%-M', pattern: String.raw`\d{1,2}` },
  s: { directive: '%-S', pattern: String.raw`\d{1,2}` },
  A: { directive: '%p', pattern: '(?i:[ap]m)' },
  a: { directive: '%p', pattern: '(?i:[ap]m)' },
  Z: { directive: '%z', pattern: offset },
};

const tokenPattern = new RegExp(
  String.raw`\[[^\]]*\]|${Object.keys(tokens)
    .toSorted((a, b) => b.length - a.length)
    .join('|')}|[^]`,
  'gu',
);

const directivePattern = /%-?[^]|[^]/gu;

/**
 * Reads a date format: strptime where it holds a `%`, else tokens, with `[literal text]` in brackets. Returns what is
 * wrong with it as a text.
 */
export function readDateFormat(format: string): DateFormat | string {
  const parts = format.includes('%') ? readDirectives(format) : readTokens(format);
  const unknown = parts.find((part) => typeof part === 'string');
  if (unknown !== undefined) return `${unknown} is no part of a date format`;
  const fields = parts.filter((part) => typeof part !== 'string');
  if (fields.every(({ directive }) => !/^%[^%]/.test(directive))) return `names no part of a date`;
  return {
    format: fields.map(({ directive }) => directive).join(''),
    pattern: fields.map((field) => field.pattern).join(''),
    endsInZone: fields.at(-1)?.directive === '%z',
  };
}

function readDirectives(format: string): (Field | string)[] {
  return (format.match(directivePattern) ?? []).map((part) => {
    const pattern = directives[part];
    if (pattern !== undefined) return { directive: part, pattern };
    return part.startsWith('%') ? part : verbatim(part);
  });
}

function readTokens(format: string): (Field | string)[] {
  return (format.match(tokenPattern) ?? []).map((part) => {
    const token = tokens[part];
    if (token !== undefined) return token;
    return verbatim(part.length > 1 && part.startsWith('[') ? part.slice(1, -1) : part);
  });
}

function verbatim(text: string): Field {
  return {
    directive: text.replaceAll('%', '%%'),
    pattern: text.replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`),
  };
}
