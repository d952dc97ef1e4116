import stringWidth from 'fast-string-width';

import { stripControlCharacters } from '../printable.ts';
import { headline, type Row, toRows } from './rows.ts';
import type { CheckOutcome } from '../judgement/outcome.ts';
import type { Verdict } from './verdict.ts';

/** Colours a text by an outcome; it must not change its width. */
export type Paint = (outcome: CheckOutcome, text: string) => string;

/**
 * Writes the verdict as a table for a terminal, samples below their rule. Control characters in what the service
 * stored are replaced, as they could rewrite the screen.
 */
export function renderText(verdict: Verdict, paint: Paint = (_outcome, text) => text): string {
  const rows = toRows(verdict);
  const filled = columns.filter((column) => rows.some((row) => column(row) !== ''));
  const widths = filled.map((column) =>
    rows.reduce((widest, row) => Math.max(widest, stringWidth(cell(column(row)))), 0),
  );
  const line = (row: Row): string => {
    const cells = filled.map((column, at) => {
      const text = cell(column(row));
      const padding = ' '.repeat((widths[at] ?? 0) - stringWidth(text));
      return `${at === 0 ? paint(row.outcome, text) : text}${padding}`;
    });
    return cells.join('  ').trimEnd();
  };
  const lines = rows.flatMap((row) => [line(row)].concat(row.samples.map((sample) => `    ${cell(sample)}`)));
  return `${[...lines, '', paint(verdict.outcome, headline(verdict))].join('\n')}\n`;
}

const columns: readonly ((row: Row) => string)[] = [
  ({ outcome }) => outcome,
  ({ severity }) => severity,
  ({ subject }) => subject,
  ({ title }) => title,
  ({ detail }) => detail,
];

function cell(text: string): string {
  return stripControlCharacters(text.replaceAll(/\s+/g, ' '));
}
