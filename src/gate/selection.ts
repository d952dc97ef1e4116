import { asRecord, displayText, normalize } from '../judgement/field.ts';
import { severityOf } from '../judgement/severity.ts';
import type { MetricSelection, RuleSelection } from './options.ts';
import type { CheckLabels } from './verdict.ts';

/** One criterion of a selection: the values that were named, and whether a rule or metric has one of them. */
export interface Criterion {
  /** What the values are, in a sentence, such as `rule of table`. */
  readonly what: string;
  readonly values: readonly string[];
  /** Whether the values are ids, of which the service may know none. */
  readonly byId: boolean;
  readonly fits: (item: unknown, value: string) => boolean;
}

/** Returns the owner and tags of a rule or metric that was listed. */
export type LabelsOfItem = (item: unknown) => CheckLabels;

/** The criteria of a selection of rules; a rule is selected if it fits a value of each. */
export function ruleCriteria(
  { rule_type, table_path, severity, ids, owner, tag }: RuleSelection,
  labels: LabelsOfItem,
): Criterion[] {
  return [
    ...criterion('rule', ids, ({ uuid }, id) => uuid === id, true),
    ...criterion('rule of table', table_path, (rule, path) => rule['table_path'] === path),
    ...criterion('rule of type', rule_type, (rule, type) => normalize(rule['rule_type']) === normalize(type)),
    ...criterion(
      'rule of severity',
      severity,
      (rule, wanted) => severityOf(rule['severity']) === normalize(wanted),
    ),
    ...labelCriteria('rule', { owner, tag }, labels),
  ];
}

/** The criteria of a selection of metrics; a metric is selected if it fits a value of each. */
export function metricCriteria(
  { metric_type, ids, owner, tag }: MetricSelection,
  labels: LabelsOfItem,
): Criterion[] {
  return [
    ...criterion('metric', ids, ({ id }, wanted) => id === wanted, true),
    ...criterion(
      'metric of type',
      metric_type,
      (metric, type) => normalize(metric['metric_type']) === normalize(type),
    ),
    ...labelCriteria('metric', { owner, tag }, labels),
  ];
}

function labelCriteria(
  kind: 'rule' | 'metric',
  { owner, tag }: Pick<RuleSelection, 'owner' | 'tag'>,
  labels: LabelsOfItem,
): Criterion[] {
  return [
    ...criterion(`${kind} of owner`, owner, (item, name) => labels(item).owner === name),
    ...criterion(`${kind} with tag`, tag, (item, word) => labels(item).tags?.includes(word) === true),
  ];
}

/** Whether a rule or metric fits a value of each criterion. */
export function isSelected(criteria: readonly Criterion[], item: unknown): boolean {
  return criteria.every(({ values, fits }) => values.some((value) => fits(item, value)));
}

/** Whether a rule or metric may be run: one that the service does not call inactive must not be left out unseen. */
export function isActive(item: unknown): boolean {
  return asRecord(item)['is_active'] !== false;
}

function criterion(
  what: string,
  given: string | readonly string[] | undefined,
  fits: (item: Readonly<Record<string, unknown>>, value: string) => boolean,
  byId = false,
): Criterion[] {
  if (given === undefined) return [];
  const values = [...new Set([given].flat().map(displayText))];
  return [{ what, values, byId, fits: (item, value) => fits(asRecord(item), value) }];
}
