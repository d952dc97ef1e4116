import type { MetricDefinition, RuleDefinition } from './definition.ts';
import { fieldOf } from './json-value.ts';

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
  // What is not set is null in the JSON of a list.
  return JSON.stringify([table_path, column_name]);
}

/** What makes a rule the same as another one within its table: column, and name or else type. */
export function ruleKey({ column_name, name, rule_type }: RuleDefinition): string {
  return JSON.stringify([column_name, name === undefined ? { rule_type } : { name }]);
}

/** What makes a metric the same as another one within its table: column, type, percentile and groups. */
export function metricKey(metric: MetricDefinition): string {
  const groups = (metric.group_by_columns ?? []).toSorted();
  return JSON.stringify([
    metric.column_name,
    metric.metric_type,
    fieldOf(metric, 'percentile_value'),
    groups,
  ]);
}

/** Whether a rule of the service has no name of its own. */
export function isUnnamed({ name }: Called): boolean {
  return !name;
}

/** What a rule is called in a plan: its name, else its type. */
export function ruleLabel({ name, rule_type }: Called): string {
  return name || (rule_type ?? 'rule');
}
