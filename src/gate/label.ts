import type { Metric } from '../contract/metrics.ts';
import type { ValidityRule } from '../contract/validity.ts';

/** Where a rule or metric looks: its table, and its column where it has one. */
export function subject({
  table_path,
  column_name,
}: Pick<ValidityRule, 'table_path' | 'column_name'>): string {
  return [table_path ?? 'unknown table', column_name].filter(Boolean).join('.');
}

/** A rule in a few words: its name, else its type, and where it looks. */
export function ruleLabel(rule: ValidityRule): string {
  const type = rule.rule_type ?? 'rule';
  return rule.name ? `${rule.name} (${type} on ${subject(rule)})` : `${type} on ${subject(rule)}`;
}

/** A metric in a few words: its type and where it looks. */
export function metricLabel(metric: Metric): string {
  return `${metric.metric_type ?? 'metric'} of ${subject(metric)}`;
}
