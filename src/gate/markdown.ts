import { escapeMarkup } from './markup.ts';
import { headline, type Row, toRows } from './rows.ts';
import type { CheckOutcome } from '../judgement/outcome.ts';
import type { Verdict } from './verdict.ts';

/** Renders the verdict as Markdown: what closes the gate in a table, its samples below, what passed in a folded section. */
export function renderMarkdown(verdict: Verdict): string {
  const rows = toRows(verdict);
  const loud = rows.filter((row) => !isQuiet(row));
  const quiet = rows.filter(isQuiet);
  return [
    `## ${marks[verdict.outcome]} ${headline(verdict)}`,
    '',
    ...(loud.length === 0 ? [] : [...renderTable(loud), '']),
    ...loud.filter(({ samples }) => samples.length > 0).flatMap(renderSamples),
    ...(quiet.length === 0 ? [] : fold(`${quiet.length} passed or skipped`, renderTable(quiet))),
  ].join('\n');
}

function isQuiet({ outcome }: Row): boolean {
  return outcome === 'passed' || outcome === 'skipped';
}

const marks: Readonly<Record<CheckOutcome, string>> = {
  passed: '✅',
  failed: '❌',
  inconclusive: '❓',
  tolerated: '⚠️',
  skipped: '⏭️',
};

function renderTable(rows: readonly Row[]): string[] {
  return [
    '| Outcome | Severity | Where | What | Found |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(({ outcome, severity, subject, title, detail }) => {
      const cells = [severity, subject, title, detail].map(escapeMarkdown);
      return `| ${marks[outcome]} ${outcome} | ${cells.join(' | ')} |`;
    }),
  ];
}

function renderSamples({ subject, title, samples }: Row): string[] {
  const items = samples.map((sample) => `- ${escapeMarkdown(sample)}`);
  return fold(`${samples.length} samples of ${subject}, ${title}`, items);
}

function fold(summary: string, lines: readonly string[]): string[] {
  return [`<details><summary>${escapeInline(summary)}</summary>`, '', ...lines, '', '</details>', ''];
}

/** Nothing of what the service stored is Markdown, markup or the mention of a person. */
function escapeMarkdown(text: string): string {
  return escapeInline(text.replaceAll(/[\\`*_[\]|~#!]/g, String.raw`\$&`));
}

/** Inside of markup, Markdown is not read. */
function escapeInline(text: string): string {
  return escapeMarkup(text)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('@', '&#64;');
}
