/** Writes a name as SQL does. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Writes a text as SQL does. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Writes a number as SQL does: a double, never read as a decimal that is too narrow. */
export function numeric(value: number): string {
  return `${literal(String(value))}::DOUBLE`;
}
