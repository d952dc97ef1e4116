import Table from 'cli-table3';

import { stripControlCharacters } from '../printable.ts';
import { fitColumns, gap } from './fit-columns.ts';
import { message, stdoutColors, terminalWidth } from './terminal.ts';

/** A cell of a table in a colour. */
export interface Painted {
  readonly text: unknown;
  readonly paint: (text: string) => string;
}

/** Lays out rows of plain or `Painted` cells in columns; `right` names the columns of numbers by their index. On a
 * terminal, what does not fit is cut or left out. */
export function table(
  head: readonly string[],
  rows: readonly (readonly unknown[])[],
  right: readonly number[] = [],
): string {
  const natural = head.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => Array.from(plainText(row[at])).length)),
  );
  const widths = fitColumns(natural, terminalWidth());
  const left = head.slice(widths.length);
  if (left.length > 0) message(`Too narrow for ${left.join(', ')}; --json shows all.`);
  return layOut(
    rows.map((row) => widths.map((width, at) => cut(row[at], width))),
    head.slice(0, widths.length).map((title) => stdoutColors.bold(title)),
    widths.map((_, at) => (right.includes(at) ? 'right' : 'left')),
    widths.map((width) => width + gap),
  );
}

/** A path is cut at its start: most begin alike. */
function cut(value: unknown, width: number): unknown {
  const letters = Array.from(plainText(value));
  if (letters.length <= width || !/^\S+\.\S+\.\S+$/u.test(letters.join(''))) return value;
  const text = `…${letters.slice(1 - width).join('')}`;
  return isPainted(value) ? { ...value, text } : text;
}

/** Lays out the fields of one object, a line each. */
export function fieldTable(fields: object): string {
  const rows = Object.entries(fields).map(([name, value]) => [
    { text: name, paint: stdoutColors.bold },
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  ]);
  return layOut(rows, [], [], []);
}

function layOut(
  rows: readonly (readonly unknown[])[],
  head: string[],
  colAligns: ('left' | 'right')[],
  colWidths: number[],
): string {
  const style = { 'padding-left': 0, 'padding-right': gap, head: [], border: [] };
  const grid = new Table({ head, colAligns, colWidths, chars: borderless, style });
  grid.push(...rows.map((row) => row.map(cell)));
  return grid.toString().replaceAll(/ +$/gm, '');
}

const borderless = Object.fromEntries(
  ['top', 'bottom', 'left', 'mid', 'right', 'middle']
    .flatMap((side) => [side, `${side}-left`, `${side}-mid`, `${side}-right`])
    .map((name) => [name, '']),
);

function cell(value: unknown): string {
  const text = plainText(value);
  return isPainted(value) && !isNothing(value.text) ? value.paint(text) : text;
}

/** A cell without its colour. Of a measured number nobody reads more than six digits. */
function plainText(value: unknown): string {
  const content = isPainted(value) ? value.text : value;
  if (isNothing(content)) return '–';
  if (typeof content === 'number' && !Number.isInteger(content))
    return String(Number(content.toPrecision(6)));
  return stripControlCharacters(content);
}

function isNothing(content: unknown): boolean {
  return content === undefined || content === null;
}

function isPainted(value: unknown): value is Painted {
  return typeof value === 'object' && value !== null && 'paint' in value;
}
