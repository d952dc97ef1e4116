import type { DataQualityClient } from '../client.ts';
import type { Metric } from '../contract/metrics-responses.ts';
import type { ValidityRuleDetail } from '../contract/validity-responses.ts';
import type { Definition } from './definition.ts';
import { DefinitionBuilder } from './definition-builder.ts';
import { fieldOf } from './json-value.ts';
import { fetchDetails } from './fetch-details.ts';
import { configKeys, metricDefaults, ruleDefaults } from './fields.ts';
import { isUnnamed, ruleLabel } from './key.ts';
import { listExisting } from './list-existing.ts';

/** How a definition is exported. */
export interface ExportOptions {
  /**
   * How many rules are looked up at once.
   *
   * @default 8
   */
  readonly concurrency?: number | undefined;
  /** Cancels the requests under way; the call then throws. */
  readonly signal?: AbortSignal | undefined;
}

/** A rule or metric that no definition can describe. */
export interface Unexported {
  /** Whether it is a rule or a metric. */
  readonly kind: 'rule' | 'metric';
  /** The id that the service gave it. */
  readonly id: string;
  /** The table, as `<catalog>.<schema>.<table>`; null if the service did not name one. */
  readonly table_path: string | null;
  /** The column; null if it is about the whole table. */
  readonly column_name: string | null;
  /** Its name, or else its type. */
  readonly label: string;
  /** Why it cannot be described. */
  readonly reason: string;
}

/** What an asset has, as code. */
export interface Exported {
  /** The definition to keep as code. */
  readonly definition: Definition;
  /**
   * What the definition cannot describe: a type this package does not know, a second one of a key, or a percentile,
   * which no response has. The definition lists them under `keep`, so that `apply` never deletes them.
   */
  readonly unmapped: readonly Unexported[];
  /** The rules and metrics that may have more than the definition has, as no response has these fields. */
  readonly hidden: readonly HiddenFields[];
}

/** An exported rule or metric, and its fields that the service does not show. */
export interface HiddenFields {
  /** Whether it is a rule or a metric. */
  readonly kind: 'rule' | 'metric';
  /** The id that the service gave it. */
  readonly id: string;
  /** The table, as `<catalog>.<schema>.<table>`; null if the service did not name one. */
  readonly table_path: string | null;
  /** The column; null if it is about the whole table. */
  readonly column_name: string | null;
  /** Its name, or else its type. */
  readonly label: string;
  /** The fields: `error_message` of a rule, `group_by_columns` of a metric. Add them by hand if it has them. */
  readonly fields: readonly string[];
}

/**
 * Returns the rules and metrics of an asset, active or not, as a definition, without the fields that have their
 * defaults. A key with the scope `read-only` is enough. What the service does not show is not lost silently:
 * `hidden` lists the entries to complete by hand, and what cannot be described at all is listed under `keep`.
 *
 * @throws {ApiError} if the service refuses a request.
 *
 * @example
 * const { definition, unmapped, hidden } = await exportRules(client, assetId);
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
  const hidden: HiddenFields[] = [];
  const record = (
    subject: Omit<HiddenFields, 'fields'>,
    fields: readonly string[],
    reason: string | undefined,
  ): void => {
    if (reason !== undefined) unmapped.push({ ...subject, reason });
    else if (fields.length > 0) hidden.push({ ...subject, fields });
  };
  for (const rule of details.values()) {
    const subject = { kind: 'rule', id: rule.uuid, ...placeOf(rule), label: ruleLabel(rule) } as const;
    const fields = ['error_message'].filter((field) => fieldOf(rule, field) === undefined);
    record(subject, fields, builder.addRule(rule.table_path ?? '', ruleEntry(rule)));
  }
  for (const metric of existing.metrics) {
    const label = metric.metric_type ?? 'metric';
    const subject = { kind: 'metric', id: metric.id, ...placeOf(metric), label } as const;
    const fields = ['group_by_columns'].filter((field) => fieldOf(metric, field) === undefined);
    const isHidden = metric.metric_type === 'percentile' && fieldOf(metric, 'percentile_value') === undefined;
    const reason = isHidden
      ? 'the service does not show its percentile_value'
      : builder.addMetric(metric.table_path ?? '', metricEntry(metric));
    record(subject, fields, reason);
  }
  const keep = unmapped.map(({ id, kind, label, reason }) => ({ id, reason: `${kind} ${label}: ${reason}` }));
  const definition = { ...(keep.length === 0 ? {} : { keep }), ...builder.definition };
  return { definition, unmapped, hidden };
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
