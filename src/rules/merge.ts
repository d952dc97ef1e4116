import { InvalidRequestError } from '../errors/invalid-request-error.ts';
import type { Issue } from '../contract/issue.ts';
import type { Definition, MetricDefinition, RuleDefinition, TableDefinition } from './definition.ts';
import type { TableFreshness } from './freshness.ts';
import { metricKey, ruleKey } from './key.ts';

/** A definition and where it is from. */
export interface DefinitionPart {
  /** What messages call it, such as the name of its file. */
  readonly source: string;
  /** What it describes. */
  readonly definition: Definition;
}

interface Table {
  readonly freshness?: TableFreshness | undefined;
  readonly rules: readonly RuleDefinition[];
  readonly metrics: readonly MetricDefinition[];
}

/**
 * Makes one definition of several, which may describe the same tables.
 *
 * @throws {InvalidRequestError} if two of them describe the same rule, metric or freshness.
 */
export function mergeDefinitions(parts: readonly DefinitionPart[]): Definition {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only.definition;
  const tables = new Map<string, Table>();
  const sources = new Map<string, string>();
  const issues: Issue[] = [];
  for (const { source, definition } of parts) {
    if (definition.freshness !== undefined) claim(source, ['freshness'], 'freshness');
    for (const [name, { freshness, rules = [], metrics = [] }] of Object.entries(definition.tables)) {
      const table = tables.get(name) ?? { rules: [], metrics: [] };
      tables.set(name, {
        freshness: freshness ?? table.freshness,
        rules: [...table.rules, ...rules],
        metrics: [...table.metrics, ...metrics],
      });
      if (freshness !== undefined) claim(source, [name, 'freshness'], 'freshness');
      for (const rule of rules)
        claim(source, placeOf(name, rule, rule.name ?? rule.rule_type), ruleKey(rule));
      for (const metric of metrics)
        claim(source, placeOf(name, metric, metric.metric_type), metricKey(metric));
    }
  }
  if (issues.length > 0) throw new InvalidRequestError('the definitions', issues, { isList: true });
  const definitions = parts.map(({ definition }) => definition);
  const freshness = definitions.find((definition) => definition.freshness !== undefined)?.freshness;
  const destinations = join(definitions.map((definition) => definition.destinations));
  const keep = join(definitions.map((definition) => definition.keep));
  return {
    ...(destinations !== undefined && { destinations }),
    ...(freshness !== undefined && { freshness }),
    ...(keep !== undefined && { keep }),
    tables: Object.fromEntries([...tables].map(([name, table]) => [name, toTable(table)])),
  };

  function claim(source: string, place: readonly string[], key: string): void {
    const claimed = JSON.stringify([place[0], key]);
    const earlier = sources.get(claimed);
    sources.set(claimed, source);
    if (earlier !== undefined) issues.push({ path: place, message: `is in ${earlier} and in ${source}` });
  }
}

function placeOf(
  table: string,
  { column_name }: { readonly column_name?: string | null | undefined },
  label: string,
): string[] {
  return [table, ...(column_name ? [column_name] : []), label];
}

/** The entries of several lists; undefined if there is no list. */
function join<Entry>(lists: readonly (readonly Entry[] | undefined)[]): Entry[] | undefined {
  return lists.every((list) => list === undefined) ? undefined : lists.flatMap((list) => list ?? []);
}

function toTable({ freshness, rules, metrics }: Table): TableDefinition {
  return {
    ...(freshness !== undefined && { freshness }),
    ...(rules.length > 0 && { rules: [...rules] }),
    ...(metrics.length > 0 && { metrics: [...metrics] }),
  };
}
