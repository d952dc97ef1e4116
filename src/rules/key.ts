import type { MetricDefinition, RuleDefinition } from './definition.ts';
import { canonical } from './difference.ts';

/** Where a rule or metric belongs. */
export interface Place {
  /** The table, as `<catalog>.<schema>.<table>`. */
  readonly table_path?: string | null | undefined;
  /** The column; null for what concerns the table as a whole. */
  readonly column_name?: string | null | undefined;
}

/** What a rule is called by. */
export interface Called {
  /** Its name. */
  readonly name?: string | null | undefined;
  /** The type, if it is a rule. */
  readonly rule_type?: string | null | undefined;
}

/** Table and column of a rule or metric, as one string. */
export function placeKey(table_path: Place['table_path'], column_name: Place['column_name']): string {
  return JSON.stringify([table_path ?? null, column_name ?? null]);
}

/** What makes a rule the same as another one within its table: column, and name or else type. */
export function ruleKey({ column_name, name, rule_type }: RuleDefinition): string {
  return canonical([column_name ?? null, name === undefined ? { rule_type } : { name }]);
}

/** What makes a metric the same as another one within its table: column, type, percentile and groups. */
export function metricKey(metric: MetricDefinition): string {
  const percentile = metric.metric_type === 'percentile' ? metric.percentile_value : null;
  const groups = (metric.group_by_columns ?? []).toSorted();
  return canonical([metric.column_name ?? null, metric.metric_type, percentile, groups]);
}

/** Whether a rule of the service has no name of its own. */
export function isUnnamed({ name }: Called): boolean {
  return name === null || name === undefined || name === '';
}

/** What a rule is called in a plan: its name, else its type. */
export function ruleLabel({ name, rule_type }: Called): string {
  return name || (rule_type ?? 'rule');
}
