import Table from 'cli-table3';

import { stdoutColors } from './terminal.ts';

/** A cell of a table in a colour. */
export interface Painted {
  readonly text: unknown;
  readonly paint: (text: string) => string;
}

/** Lays out rows of plain or `Painted` cells in columns; `right` names the columns of numbers by their index. */
export function table(
  head: readonly string[],
  rows: readonly (readonly unknown[])[],
  right: readonly number[] = [],
): string {
  return layOut(
    rows,
    head.map((title) => stdoutColors.bold(title)),
    head.map((_, at) => (right.includes(at) ? 'right' : 'left')),
  );
}

/** Lays out the fields of one object, a line each. */
export function fieldTable(fields: Readonly<Record<string, unknown>>): string {
  const rows = Object.entries(fields).map(([name, value]) => [
    { text: name, paint: stdoutColors.bold },
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  ]);
  return layOut(rows, [], []);
}

function layOut(
  rows: readonly (readonly unknown[])[],
  head: string[],
  colAligns: ('left' | 'right')[],
): string {
  const style = { 'padding-left': 0, 'padding-right': 2, head: [], border: [] };
  const grid = new Table({ head, colAligns, chars: borderless, style });
  grid.push(...rows.map((row) => row.map(cell)));
  return grid.toString().replaceAll(/ +$/gm, '');
}

/** Text for a terminal: what a service stores comes from anywhere, and a control character could rewrite the screen. */
export function harmless(value: unknown): string {
  // oxlint-disable-next-line no-control-regex
  return String(value).replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\u{fffd}');
}

const borderless = Object.fromEntries(
  ['top', 'bottom', 'left', 'mid', 'right', 'middle']
    .flatMap((side) => [side, `${side}-left`, `${side}-mid`, `${side}-right`])
    .map((name) => [name, '']),
);

function cell(value: unknown): string {
  if (value === undefined || value === null) return '–';
  if (!isPainted(value)) return harmless(value);
  return value.text === undefined || value.text === null ? '–' : value.paint(harmless(value.text));
}

function isPainted(value: unknown): value is Painted {
  return typeof value === 'object' && value !== null && 'paint' in value;
}
