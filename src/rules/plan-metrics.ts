import type { Metric } from '../contract/metrics-responses.ts';
import type { UpdateMetric } from '../contract/metrics.ts';
import type { MetricChange } from './changes.ts';
import type { Definition, MetricDefinition } from './definition.ts';
import { compareFields, isEqual } from './difference.ts';
import { fieldOf } from './json-value.ts';
import { hiddenMetricKeys, metricDefaults } from './fields.ts';
import { type Place, placeKey } from './key.ts';
import { labelsIn } from './labels.ts';

/**
 * What is to become of each metric. As no response includes the percentile or the groups, metrics of one type on one
 * column are matched by the order in which they were created, which is that of the definition. If the service
 * has more of them than the definition, that order says nothing: all are created again and the old ones deleted.
 */
export function planMetrics(definition: Definition, listed: readonly Metric[]): MetricChange[] {
  const wanted = Map.groupBy(
    Object.entries(definition.tables).flatMap(([table_path, { metrics = [] }]) =>
      metrics.map((metric) => ({ table_path, metric })),
    ),
    ({ table_path, metric }) => groupKey({ table_path, ...metric }),
  );
  const existing = Map.groupBy(listed.toSorted(byAge), groupKey);
  const gone = [...existing].filter(([key]) => !wanted.has(key)).flatMap(([, metrics]) => metrics);
  return [
    ...[...wanted].flatMap(([key, group]) => planGroup(group, existing.get(key) ?? [])),
    ...gone.map((metric) => remove(metric, 'not in the definition')),
  ];
}

interface Wanted {
  readonly table_path: string;
  readonly metric: MetricDefinition;
}

function planGroup(wanted: readonly Wanted[], existing: readonly Metric[]): MetricChange[] {
  const paired = pair(wanted, existing);
  if (paired !== undefined) {
    const surplus = existing.filter((metric) => ![...paired.values()].includes(metric));
    const changes = wanted.map((one) => reconcile(one, paired.get(one)));
    return [...changes, ...surplus.map((metric) => remove(metric, 'not in the definition'))];
  }
  return [
    ...wanted.map((one) => ({ ...create(one), requires: 'prune' as const })),
    ...existing.map((metric) => remove(metric, 'one of several that look alike, created again')),
  ];
}

/** Which metric is which, or undefined if that is unknown. */
function pair(wanted: readonly Wanted[], existing: readonly Metric[]): Map<Wanted, Metric> | undefined {
  const free = new Set(existing);
  const pairs = new Map<Wanted, Metric>();
  for (const one of wanted) {
    const found = [...free].find((metric) => hiddenMetricKeys.every((key) => fits(one.metric, metric, key)));
    if (found === undefined) continue;
    free.delete(found);
    pairs.set(one, found);
  }
  const isTold = existing.every((metric) =>
    hiddenMetricKeys.every((key) => fieldOf(metric, key) !== undefined),
  );
  return free.size === 0 || isTold ? pairs : undefined;
}

/** Whether what a metric shows of its key is that of the definition. */
function fits(wanted: MetricDefinition, metric: Metric, key: (typeof hiddenMetricKeys)[number]): boolean {
  const shown = fieldOf(metric, key);
  return shown === undefined || isEqual(normalise(shown), normalise(fieldOf(wanted, key)));
}

/** No groups are the same as none given, in whatever order. */
function normalise(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? null;
  return value.length === 0 ? null : value.map(String).toSorted();
}

function reconcile(one: Wanted, existing: Metric | undefined): MetricChange {
  if (existing === undefined) return create(one);
  const subject = { ...subjectOf(one), id: existing.id };
  const { differences, uncompared: missing } = compareFields(one.metric, existing, metricDefaults);
  const hidden = hiddenMetricKeys.filter(
    (key) => fieldOf(one.metric, key) !== undefined && fieldOf(existing, key) === undefined,
  );
  const uncompared = [...hidden, ...missing];
  if (differences.length === 0) return { ...subject, action: 'unchanged', uncompared };
  // Each field that differs is one that PATCH takes, with the value of its definition or default.
  const patch = Object.fromEntries(differences.map(({ field, to }) => [field, to])) as UpdateMetric;
  return { ...subject, action: 'update', patch, differences, uncompared };
}

function create(one: Wanted): Extract<MetricChange, { action: 'create' }> {
  const { is_active = true, owner: _owner, tags: _tags, ...fields } = one.metric;
  return { ...subjectOf(one), action: 'create', body: { ...fields, table_path: one.table_path }, is_active };
}

function remove(metric: Metric, reason: string): MetricChange {
  const { id, table_path, column_name, metric_type } = metric;
  return {
    kind: 'metric',
    table_path: table_path ?? '',
    column_name: column_name ?? null,
    label: metric_type ?? 'metric',
    action: 'delete',
    id,
    reason,
    requires: 'prune',
  };
}

function subjectOf({ table_path, metric }: Wanted) {
  const label =
    metric.metric_type === 'percentile' ? `percentile ${metric.percentile_value}` : metric.metric_type;
  const groups = metric.group_by_columns ?? [];
  return {
    kind: 'metric',
    table_path,
    column_name: metric.column_name ?? null,
    label: groups.length === 0 ? label : `${label} by ${groups.join(', ')}`,
    ...labelsIn(metric),
  } as const;
}

function groupKey({
  table_path,
  column_name,
  metric_type,
}: Place & { readonly metric_type: string }): string {
  return `${placeKey(table_path, column_name)} ${metric_type}`;
}

function byAge(a: Metric, b: Metric): number {
  // A service may send ids as text, which a minus reads as numbers, or none.
  return (a.internal_id ?? 0) - (b.internal_id ?? 0);
}
