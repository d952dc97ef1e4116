/** Reads a csv with commas and quotes, as RFC 4180 has it. */
export function csvRows(text: string): string[][] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  const rows: string[][] = [[]];
  for (const [whole, quoted, plain = '', end] of text.matchAll(field)) {
    if (whole === '') break;
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}
