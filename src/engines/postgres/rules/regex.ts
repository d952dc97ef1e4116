import type { ColumnSql } from '../column-sql.ts';
import { literal } from '../quote.ts';

/** SQL of REGEX: true if the value, as text, contains a match of a POSIX regular expression. */
export function regexCondition(pattern: string, { text }: Pick<ColumnSql, 'text'>): string {
  return `${text} ~ ${literal(posixPattern(pattern))}`;
}

const escapes: Readonly<Record<string, string>> = { '\\b': '\\y', '\\B': '\\Y', '\\z': '\\Z' };

/**
 * A pattern of RE2 in the words of PostgreSQL, as far as it has other ones for the same: word boundaries, the end of the text, names of
 * groups, and the options that it begins with. A dot does not match a line end, unless they say so.
 */
export function posixPattern(pattern: string): string {
  const [options = '', letters = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const hasLines = letters.includes('m');
  const hasDot = letters.includes('s');
  const lines = hasLines ? (hasDot ? 'w' : 'n') : hasDot ? 's' : 'p';
  const rest = pattern
    .slice(options.length)
    .replaceAll(/\\[^]/gu, (escape) => escapes[escape] ?? escape)
    .replaceAll(/\(\?P<\w+>/g, '(');
  return `(?${letters.includes('i') ? 'i' : ''}${lines})${rest}`;
}
