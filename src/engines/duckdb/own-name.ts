import type { SourceColumn } from './column-sql.ts';

/** Returns names for columns that we add to a table, by what they are: none of its own has such a name. */
export function ownNames(columns: readonly SourceColumn[]): (part: string) => string {
  const taken = columns.map(({ readAs }) => readAs.toLowerCase());
  let prefix = '__dq_';
  while (taken.some((name) => name.startsWith(prefix))) prefix += '_';
  return (part) => prefix + part;
}
