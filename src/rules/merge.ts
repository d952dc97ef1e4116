import { InvalidRequestError } from '../errors/invalid-request-error.ts';
import type { Issue } from '../contract/issue.ts';
import type { Definition, MetricDefinition, RuleDefinition } from './definition.ts';
import { metricKey, ruleKey } from './key.ts';

/** A definition and where it is from. */
export interface DefinitionPart {
  /** What messages call it, such as the name of its file. */
  readonly source: string;
  /** What it describes. */
  readonly definition: Definition;
}

interface Table {
  readonly rules: readonly RuleDefinition[];
  readonly metrics: readonly MetricDefinition[];
}

/**
 * Makes one definition of several, which may describe the same tables.
 *
 * @throws {InvalidRequestError} if two of them describe the same rule or metric.
 */
export function mergeDefinitions(parts: readonly DefinitionPart[]): Definition {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only.definition;
  const tables = new Map<string, Table>();
  const sources = new Map<string, string>();
  const issues: Issue[] = [];
  for (const { source, definition } of parts) {
    for (const [name, { rules = [], metrics = [] }] of Object.entries(definition.tables)) {
      const table = tables.get(name) ?? { rules: [], metrics: [] };
      tables.set(name, { rules: [...table.rules, ...rules], metrics: [...table.metrics, ...metrics] });
      for (const rule of rules)
        claim(source, name, ruleKey(rule), rule.name ?? rule.rule_type, rule.column_name);
      for (const metric of metrics)
        claim(source, name, metricKey(metric), metric.metric_type, metric.column_name);
    }
  }
  if (issues.length > 0) throw new InvalidRequestError('the definitions', issues, { isList: true });
  const keep = parts.flatMap(({ definition }) => definition.keep ?? []);
  return {
    ...(parts.some(({ definition }) => definition.keep !== undefined) && { keep }),
    tables: Object.fromEntries(
      [...tables].map(([name, { rules, metrics }]) => [
        name,
        {
          ...(rules.length > 0 && { rules: [...rules] }),
          ...(metrics.length > 0 && { metrics: [...metrics] }),
        },
      ]),
    ),
  };

  function claim(
    source: string,
    table: string,
    key: string,
    label: string,
    column: string | null | undefined,
  ): void {
    const claimed = `${table} ${key}`;
    const earlier = sources.get(claimed);
    sources.set(claimed, source);
    if (earlier === undefined) return;
    issues.push({
      path: [table, ...(column ? [column] : []), label],
      message: `is in ${earlier} and in ${source}`,
    });
  }
}
