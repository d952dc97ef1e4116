import type { Metric } from '../contract/metrics-responses.ts';
import type { ValidityRule } from '../contract/validity-responses.ts';
import type { Changes } from './changes.ts';
import { type Called, isUnnamed, type Place, placeKey } from './key.ts';

/**
 * What has appeared since a plan was made. A second run of the same plan, or one whose response was lost, finds here
 * what it would otherwise create twice.
 */
export class CreatedSincePlan {
  readonly #rules: readonly ValidityRule[];
  readonly #metrics: Set<Metric>;

  constructor(
    changes: Changes,
    existing: { readonly rules: readonly ValidityRule[]; readonly metrics: readonly Metric[] } = {
      rules: [],
      metrics: [],
    },
  ) {
    const planned = [changes.update, changes.replace, changes.delete, changes.unchanged].flat();
    const known = new Set([...planned.map(({ id }) => id), ...changes.kept]);
    this.#rules = existing.rules.filter(({ uuid }) => !known.has(uuid));
    this.#metrics = new Set(existing.metrics.filter(({ id }) => !known.has(id)));
  }

  /** Returns the id of a rule that exists in the place where this one would be created. */
  findRule({ table_path, column_name, rule_type, name }: Place & Called): string | undefined {
    const place = placeKey(table_path, column_name);
    return this.#rules.find(
      (rule) =>
        placeKey(rule.table_path, rule.column_name) === place &&
        rule.rule_type === rule_type &&
        (name === undefined ? isUnnamed(rule) : rule.name === name),
    )?.uuid;
  }

  /** Takes the id of a metric that exists in the place where this one would be created; each is taken once. */
  takeMetric({
    table_path,
    column_name,
    metric_type,
  }: Place & { readonly metric_type: string }): string | undefined {
    const place = placeKey(table_path, column_name);
    const found = [...this.#metrics].find(
      (metric) =>
        placeKey(metric.table_path, metric.column_name) === place && metric.metric_type === metric_type,
    );
    if (found !== undefined) this.#metrics.delete(found);
    return found?.id;
  }
}
