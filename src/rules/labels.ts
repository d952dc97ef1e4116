import type { Definition, MetricDefinition, RuleDefinition } from './definition.ts';
import { type Called, type Place, placeKey } from './key.ts';

/** What a definition says about a rule or metric, and the service does not know. */
export interface Labels {
  /** Who looks after it. */
  readonly owner?: string;
  /** Words to select it by. */
  readonly tags?: readonly string[];
}

/** A rule or metric as the lists of the service have it. */
export interface LabeledItem extends Place, Called {
  /** The type, if it is a metric. */
  readonly metric_type?: string | null | undefined;
}

/** The owner and tags of an entry of a definition. */
export function labelsIn({ owner, tags }: RuleDefinition | MetricDefinition): Labels {
  return { ...(owner !== undefined && { owner }), ...(tags !== undefined && { tags }) };
}

/**
 * Returns a function that returns the owner and tags of a rule or metric of the service, as a definition has them: those
 * of the entry with its name, or else of its type, in the same column. Of metrics of one type in one column, which the
 * service does not distinguish, it returns what they have in common.
 *
 * @example
 * await gate(client, assetId, { labels: labelsOf(definition), rules: { tag: 'nightly' } });
 */
export function labelsOf(definition: Definition): (item: LabeledItem) => Labels {
  const named = new Map<string, Labels>();
  const typed = new Map<string, Labels>();
  for (const [table, { rules = [], metrics = [] }] of Object.entries(definition.tables)) {
    for (const rule of rules) {
      const place = placeKey(table, rule.column_name);
      if (rule.name === undefined) typed.set(`${place} rule ${rule.rule_type}`, labelsIn(rule));
      else named.set(`${place} ${rule.name}`, labelsIn(rule));
    }
    for (const metric of metrics) {
      const key = `${placeKey(table, metric.column_name)} metric ${metric.metric_type}`;
      const own = labelsIn(metric);
      typed.set(key, shared(typed.get(key) ?? own, own));
    }
  }
  return ({ table_path, column_name, name, rule_type, metric_type }) => {
    const place = placeKey(table_path, column_name);
    const kind = metric_type ? `metric ${metric_type}` : `rule ${rule_type}`;
    return named.get(`${place} ${name}`) ?? typed.get(`${place} ${kind}`) ?? {};
  };
}

function shared(one: Labels, other: Labels): Labels {
  const tags = one.tags?.filter((tag) => other.tags?.includes(tag));
  return {
    ...(one.owner !== undefined && one.owner === other.owner && { owner: one.owner }),
    ...(tags !== undefined && { tags }),
  };
}
