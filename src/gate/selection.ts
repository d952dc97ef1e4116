import type { Metric } from '../contract/metrics.ts';
import type { ValidityRule } from '../contract/validity.ts';
import type { MetricSelection, RuleSelection } from './options.ts';

/** Whether a rule fits everything a selection names. */
export function selectsRule(selection: RuleSelection, rule: ValidityRule): boolean {
  const { rule_type, table_path, severity, ids } = selection;
  return (
    fitsWord(rule_type, rule.rule_type) &&
    (table_path === undefined || [table_path].flat().includes(rule.table_path ?? '')) &&
    fitsWord(severity, rule.severity) &&
    (ids === undefined || ids.includes(rule.uuid))
  );
}

/** Whether a metric fits everything a selection names. */
export function selectsMetric({ metric_type, ids }: MetricSelection, metric: Metric): boolean {
  return fitsWord(metric_type, metric.metric_type) && (ids === undefined || ids.includes(metric.id));
}

/** Compares without regard to case, as `is_active` is the only field of the list the service promises exactly. */
function fitsWord(
  wanted: string | readonly string[] | undefined,
  actual: string | null | undefined,
): boolean {
  if (wanted === undefined) return true;
  return [wanted].flat().some((word) => word.toLowerCase() === actual?.toLowerCase());
}
