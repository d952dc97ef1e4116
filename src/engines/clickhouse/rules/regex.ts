import type { ColumnSql } from '../column-sql.ts';
import { literal } from '../quote.ts';

/**
 * SQL of REGEX: true if the value, as text, contains a match (RE2). A dot does not match a line end, unless
 * the pattern says so.
 */
export function regexCondition(pattern: string, { text }: Pick<ColumnSql, 'text'>): string {
  const [options = '', letters = ''] = /^\(\?([imsU]+)\)/.exec(pattern) ?? [];
  // Around all of it: older versions overlook options that the pattern begins with.
  const optional = options === '' ? pattern : `(?${letters}:${pattern.slice(options.length)})`;
  return `match(${text}, ${literal(`(?-s)${optional}`)})`;
}
