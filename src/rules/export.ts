import type { DataQualityClient } from '../client.ts';
import type { Metric } from '../contract/metrics.ts';
import type { ValidityRuleDetail } from '../contract/validity.ts';
import type { Definition } from './definition.ts';
import { DefinitionBuilder } from './definition-builder.ts';
import { fieldOf } from './difference.ts';
import { fetchDetails } from './fetch-details.ts';
import { configKeys, metricDefaults, ruleDefaults } from './fields.ts';
import { isUnnamed, ruleLabel } from './key.ts';
import { listExisting } from './list-existing.ts';

/** How a definition is exported. */
export interface ExportOptions {
  /** Rules looked up at once; default 8. */
  readonly concurrency?: number | undefined;
  /** Cancels the requests under way; the call then throws. */
  readonly signal?: AbortSignal | undefined;
}

/** A rule or metric that no definition can express. */
export interface Unexported {
  /** Whether it is a rule or a metric. */
  readonly kind: 'rule' | 'metric';
  /** The id that the service gave it. */
  readonly id: string;
  /** The table, as `<catalog>.<schema>.<table>`; null if the service did not name one. */
  readonly table_path: string | null;
  /** The column; null if it is about the whole table. */
  readonly column_name: string | null;
  /** Its name, else its type. */
  readonly label: string;
  /** Why it was left out. */
  readonly reason: string;
}

/** What an asset has, as code. */
export interface Exported {
  /** The definition to keep as code. */
  readonly definition: Definition;
  /** What is left out: a type this package does not know, a second one of a key, or a percentile, which no response includes. */
  readonly unmapped: readonly Unexported[];
}

/**
 * Writes down the rules and metrics an asset has, active or not, without the fields that have their defaults. A
 * key with the scope `read-only` will do. What no response includes cannot be exported: messages of rules, and the
 * percentile and groups of metrics.
 *
 * @example
 * const { definition, unmapped } = await exportRules(client, assetId);
 * await writeFile('rules.yaml', toYaml(definition));
 */
export async function exportRules(
  client: DataQualityClient,
  assetId: string,
  { concurrency = 8, signal }: ExportOptions = {},
): Promise<Exported> {
  const options = { concurrency, signal };
  const existing = await listExisting(client, assetId, options);
  const details = await fetchDetails(client, assetId, existing.rules, options);
  const builder = new DefinitionBuilder();
  const unmapped: Unexported[] = [];
  for (const rule of details.values()) {
    const reason = builder.addRule(rule.table_path ?? '', ruleEntry(rule));
    if (reason !== undefined) {
      unmapped.push({ kind: 'rule', id: rule.uuid, ...placeOf(rule), label: ruleLabel(rule), reason });
    }
  }
  for (const metric of existing.metrics) {
    const isHidden = metric.metric_type === 'percentile' && fieldOf(metric, 'percentile_value') === undefined;
    const reason = isHidden
      ? 'the service does not show its percentile_value'
      : builder.addMetric(metric.table_path ?? '', metricEntry(metric));
    if (reason !== undefined) {
      unmapped.push({
        kind: 'metric',
        id: metric.id,
        ...placeOf(metric),
        label: metric.metric_type ?? 'metric',
        reason,
      });
    }
  }
  return { definition: builder.definition, unmapped };
}

function placeOf({ table_path, column_name }: Pick<Metric, 'table_path' | 'column_name'>) {
  return { table_path: table_path ?? null, column_name: column_name ?? null };
}

function ruleEntry(rule: ValidityRuleDetail): object {
  const config = Object.fromEntries(
    configKeys
      .map((key) => [key, rule.rule_config?.[key] ?? undefined] as const)
      .filter(([, value]) => value !== undefined),
  );
  return {
    ...(isUnnamed(rule) ? {} : { name: rule.name }),
    rule_type: rule.rule_type,
    ...(rule.column_name ? { column_name: rule.column_name } : {}),
    ...(Object.keys(config).length === 0 ? {} : { rule_config: config }),
    ...unlessDefault(rule, ruleDefaults),
  };
}

function metricEntry(metric: Metric): object {
  return {
    metric_type: metric.metric_type,
    ...(metric.column_name ? { column_name: metric.column_name } : {}),
    ...unlessDefault(metric, { percentile_value: undefined, group_by_columns: undefined }),
    ...unlessDefault(metric, metricDefaults),
  };
}

/** The fields that are set to something else than their default. */
function unlessDefault(
  source: object,
  defaults: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const fields = Object.entries(defaults).map(
    ([field, fallback]) => [field, Reflect.get(source, field), fallback] as const,
  );
  const set = fields.filter(
    ([, value, fallback]) => value !== null && value !== undefined && value !== fallback,
  );
  return Object.fromEntries(set.map(([field, value]) => [field, value]));
}
