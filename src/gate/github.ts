import { stripControlCharacters } from '../printable.ts';
import { renderMarkdown } from './markdown.ts';
import { type Row, toRows } from './rows.ts';
import type { Verdict } from './verdict.ts';

/** GitHub shows as many annotations of one step, and drops the rest without a word. */
const mostAnnotations = 10;

/**
 * Renders the checks that did not pass as annotations for GitHub Actions, the most severe first: an error for what
 * closes the gate, a warning for what is tolerated. Of more than ten, which GitHub would drop, the last one counts the
 * rest. Empty if all passed.
 */
export function renderAnnotations(verdict: Verdict): string {
  const rows = toRows(verdict).filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped');
  if (rows.length <= mostAnnotations) return rows.map((row) => `${annotation(row)}\n`).join('');
  const shown = rows.slice(0, mostAnnotations - 1);
  const hidden = rows.slice(shown.length);
  const level = hidden.every(({ outcome }) => outcome === 'tolerated') ? 'warning' : 'error';
  const rest = `::${level} title=Data quality::and ${hidden.length} more, see the step summary`;
  return `${[...shown.map(annotation), rest].join('\n')}\n`;
}

/** Renders the verdict as Markdown for `GITHUB_STEP_SUMMARY`, cut at the end of a line if it exceeds GitHub's 1 MiB. */
export function renderStepSummary(verdict: Verdict): string {
  const markdown = renderMarkdown(verdict);
  const bytes = new TextEncoder().encode(markdown);
  if (bytes.length <= mostBytes) return markdown;
  const kept = new TextDecoder().decode(bytes.subarray(0, mostBytes));
  return `${kept.slice(0, kept.lastIndexOf('\n'))}\n\nThe rest is left out: GitHub shows no more.\n`;
}

/** Below 1 MiB, with room for what else the step writes there. */
const mostBytes = 1_000_000;

function annotation({ outcome, subject, title, detail }: Row): string {
  const level = outcome === 'tolerated' ? 'warning' : 'error';
  const heading = [`Data quality ${outcome}`, title].filter(Boolean).join(': ');
  const message = [subject, detail].filter(Boolean).join(': ');
  return `::${level} title=${escapeProperty(heading)}::${escapeMessage(message)}`;
}

function escapeMessage(text: string): string {
  const escaped = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return stripControlCharacters(escaped);
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
