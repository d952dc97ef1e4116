import { formatPercent } from '../judgement/percent.ts';
import type { Metric, ValidityCheckResult, ValidityRule } from '../index.ts';
import { html, type Markup } from './markup.ts';
import type { CheckOutcome } from '../judgement/outcome.ts';

/** A number with its thousands set apart: whole ones exactly, others to the digits that matter. */
export function formatNumber(value: number): string {
  const digits = Number.isInteger(value) ? {} : { maximumSignificantDigits: 6 };
  return value.toLocaleString('en-US', digits);
}

/** A count with its noun. */
export function plural(amount: number, noun: string): string {
  return `${formatNumber(amount)} ${amount === 1 ? noun : `${noun}s`}`;
}

/** A moment, readable and for machines. */
export function moment(timestamp: string | null | undefined): Markup {
  const time = Date.parse(timestamp ?? '');
  if (Number.isNaN(time)) return html`–`;
  const iso = new Date(time).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)}</time>`;
}

/** Table and column a rule or a metric is about. */
export function placeOf({
  table_path,
  column_name,
}: Pick<ValidityRule | Metric, 'table_path' | 'column_name'>): string {
  return [table_path, column_name].filter(Boolean).join('.');
}

/** What a check found, in words. */
export function describeResult(result: ValidityCheckResult | undefined, reason: string | undefined): string {
  if (reason !== undefined) return reason;
  if (result === undefined) return 'never checked';
  const { status, total_rows: total, invalid_count: invalid, invalid_percent: percent } = result;
  if (typeof invalid !== 'number' || typeof total !== 'number') return status ?? 'no status';
  const share = typeof percent === 'number' ? ` (${formatPercent(percent)})` : '';
  return `${formatNumber(invalid)} of ${plural(total, 'row')} invalid${share}`;
}

/** An outcome as a word in its colour. */
export function badge(outcome: CheckOutcome): Markup {
  return html`<b class="badge ${outcome}">${words[outcome]}</b>`;
}

const words: Readonly<Record<CheckOutcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  tolerated: 'tolerated',
  inconclusive: 'unclear',
  skipped: 'inactive',
};
