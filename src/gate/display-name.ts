import { asRecord, displayText } from '../judgement/field.ts';
import type { FreshnessCheck } from './verdict.ts';

/** What a rule or a metric is about: its table, and its column if it has one. */
export function subject(ruleOrMetric: unknown): string {
  const { table_path, column_name } = asRecord(ruleOrMetric);
  return [displayText(table_path).trim() || 'unknown table', displayText(column_name)]
    .filter(Boolean)
    .join('.');
}

/** A rule in a few words: its name, type and column. */
export function ruleLabel(rule: unknown): string {
  const { name, rule_type } = asRecord(rule);
  const what = `${displayText(rule_type) || 'rule'} on ${subject(rule)}`;
  return displayText(name) === '' ? what : `${displayText(name)} (${what})`;
}

/** A metric in a few words: its type and column. */
export function metricLabel(metric: unknown): string {
  return `${displayText(asRecord(metric)['metric_type']) || 'metric'} of ${subject(metric)}`;
}

/** The table whose freshness was checked, or the name of the asset as the freshness endpoint gives it, else its id. */
export function freshnessLabel({ table_path, freshness, assetId }: FreshnessCheck): string {
  return table_path ?? (displayText(asRecord(freshness)['asset']) || assetId);
}
