/** Writes a name as ClickHouse does. */
export function identifier(name: string): string {
  return `\`${escaped(name).replaceAll('`', '\\`')}\``;
}

/** Writes a text as ClickHouse does. */
export function literal(text: string): string {
  return `'${escaped(text).replaceAll("'", String.raw`\'`)}'`;
}

/** Writes a number as ClickHouse does: a double. */
export function numeric(value: number): string {
  return `toFloat64(${literal(String(value))})`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\0', String.raw`\0`);
}
