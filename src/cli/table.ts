import Table from 'cli-table3';

import { stripControlCharacters } from '../printable.ts';
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
export function fieldTable(fields: object): string {
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

const borderless = Object.fromEntries(
  ['top', 'bottom', 'left', 'mid', 'right', 'middle']
    .flatMap((side) => [side, `${side}-left`, `${side}-mid`, `${side}-right`])
    .map((name) => [name, '']),
);

function cell(value: unknown): string {
  if (value === undefined || value === null) return '–';
  if (!isPainted(value)) return stripControlCharacters(value);
  return value.text === undefined || value.text === null
    ? '–'
    : value.paint(stripControlCharacters(value.text));
}

function isPainted(value: unknown): value is Painted {
  return typeof value === 'object' && value !== null && 'paint' in value;
}
