import { QueryError } from '../query-error.ts';

/** Writes a name as PostgreSQL does. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Writes a text as PostgreSQL does; with backslashes it says that they are escaped, whatever the settings are. */
export function literal(text: string): string {
  if (text.includes('\0')) throw new QueryError('PostgreSQL has no texts with the character U+0000');
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

/** Writes a number as PostgreSQL does, as one of its types of numbers. */
export function numeric(value: number, type: 'real' | 'float8' | 'numeric'): string {
  return `${literal(String(value))}::${type}`;
}
