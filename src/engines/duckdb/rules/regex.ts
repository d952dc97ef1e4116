import type { ColumnSql } from '../column-sql.ts';
import { literal } from '../quote.ts';

/** SQL of REGEX: true if the value, as text, contains a match (RE2). */
export function regexCondition(pattern: string, { text }: ColumnSql): string {
  return `regexp_matches(${text}, ${literal(pattern)})`;
}
