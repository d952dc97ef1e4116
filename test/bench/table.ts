/** One table of the results. */
export interface Table {
  readonly title: string;
  /** How it was measured, and what is to be reached. */
  readonly note?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table in Markdown, its columns padded so that it reads well in a terminal too. */
export function render({ title, note, columns, rows }: Table): string {
  const widths = columns.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => pad(cells[column] ?? '', width, column)).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  const heading = note === undefined ? [`## ${title}`] : [`## ${title}`, '', note];
  return [...heading, '', line(columns), rule, ...rows.map(line)].join('\n');
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** How many times one number is another. */
export function ratio(value: number, base: number): string {
  return (value / base).toFixed(2);
}
