import type { Metric, ValidityCheckResult, ValidityRule } from '../index.ts';
import { describeInvalid } from '../judgement/check.ts';
import { asRecord, displayText } from '../judgement/field.ts';
import { formatNumber } from '../judgement/number.ts';
import type { CheckOutcome } from '../judgement/outcome.ts';
import { html, type Markup } from './markup.ts';
import { formatMoment, parseTimestamp } from './time.ts';

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 4 });

/** Writes a number so that it fits anywhere, as `15 B` or `1.234 M`; below 10,000 as it is. */
export function compactNumber(value: number): string {
  if (Math.abs(value) < 10_000) return value.toLocaleString('en-US', { maximumSignificantDigits: 5 });
  return compact.format(value).replace(/(?=[A-Z])/, '\u{a0}');
}

/** A moment, readable and for machines; an en dash without one. */
export function moment(timestamp: unknown): Markup {
  const time = parseTimestamp(timestamp);
  if (time === undefined) return html`–`;
  return html`<time datetime="${new Date(time).toISOString().slice(0, 16)}Z">${formatMoment(time)}</time>`;
}

/** Table and column a rule or a metric is about. */
export function placeOf({
  table_path,
  column_name,
}: Pick<ValidityRule | Metric, 'table_path' | 'column_name'>): string {
  return [table_path, column_name].map(displayText).filter(Boolean).join('.');
}

/** What a rule is called: its name, or its type and column. */
export function nameOfRule({ name, rule_type, column_name, uuid }: ValidityRule): string {
  if (typeof name === 'string' && name.trim() !== '') return name;
  return [rule_type, column_name].map(displayText).filter(Boolean).join(' ') || uuid;
}

/** What a metric is called, with its percentile if the service returns it: `percentile 95 of delay`. */
export function nameOfMetric(metric: Metric): string {
  const { percentile_value: percentile } = asRecord(metric);
  const type = displayText(metric.metric_type) || 'metric';
  const value = typeof percentile === 'number' ? ` ${percentile}` : '';
  const column = displayText(metric.column_name);
  return `${type}${value}${column === '' ? '' : ` of ${column}`}`;
}

/** What the latest check of a rule found, in words. */
export function describeResult(
  result: ValidityCheckResult | undefined,
  outcome: CheckOutcome,
  reason: string | undefined,
): string {
  if (outcome !== 'passed' && outcome !== 'failed' && reason !== undefined) return reason;
  if (result === undefined) return reason ?? 'never checked';
  if (outcome === 'passed' && result.invalid_count === 0 && typeof result.total_rows === 'number')
    return result.total_rows === 1 ? '1 row, valid' : `${formatNumber(result.total_rows)} rows, all valid`;
  // A percentage stays in one piece.
  return describeInvalid(result)?.replace(' %', '\u{a0}%') ?? reason ?? displayText(result.status);
}

/** The words for outcomes. */
export const outcomeWords: Readonly<Record<CheckOutcome, string>> = {
  failed: 'failed',
  inconclusive: 'unclear',
  tolerated: 'tolerated',
  passed: 'passed',
  skipped: 'inactive',
};

/** All outcomes, from what needs attention to what needs none. */
export const outcomeOrder = ['failed', 'inconclusive', 'tolerated', 'passed', 'skipped'] as const;

/** An outcome as a word with a sign of its own: never by colour alone. */
export function badge(outcome: CheckOutcome, count?: number): Markup {
  const number = count === undefined ? '' : `${formatNumber(count)} `;
  return html`<b class="badge ${outcome}">${number}${outcomeWords[outcome]}</b>`;
}
