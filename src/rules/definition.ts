import * as z from 'zod/mini';

import { nonEmptyText } from '../contract/field.ts';
import { createMetricSchema } from '../contract/metrics.ts';
import { createValidityRuleSchema } from '../contract/validity.ts';

// The bodies of the create endpoints, less the table, which stands above, and with what only PATCH can set.
const [presence, regex, range, enumeration, dateFormat, customSql] = createValidityRuleSchema.def.options;
const [tableMetric, columnMetric, percentile] = createMetricSchema.def.options;
const above = { table_path: true } as const;
const own = { is_active: z.optional(z.boolean()) };
// An empty name is no key: services take it for none.
const ownOfRule = { ...own, name: z.optional(nonEmptyText) };

/** One rule of a definition. */
export const ruleSchema = z.discriminatedUnion('rule_type', [
  z.extend(z.omit(presence, above), ownOfRule),
  z.extend(z.omit(regex, above), ownOfRule),
  z.extend(z.omit(range, above), ownOfRule),
  z.extend(z.omit(enumeration, above), ownOfRule),
  z.extend(z.omit(dateFormat, above), ownOfRule),
  z.extend(z.omit(customSql, above), ownOfRule),
]);

/** One metric of a definition. */
export const metricSchema = z.discriminatedUnion('metric_type', [
  z.extend(z.omit(tableMetric, above), own),
  z.extend(z.omit(columnMetric, above), own),
  z.extend(z.omit(percentile, above), own),
]);

const tableSchema = z.strictObject({
  rules: z.optional(z.array(ruleSchema)),
  metrics: z.optional(z.array(metricSchema)),
});

/** A definition: the rules and metrics an asset should have, by `<catalog>.<schema>.<table>`. */
export const definitionSchema = z.strictObject({
  tables: z.record(nonEmptyText, tableSchema),
});

/**
 * The rules and metrics an asset should have, and no others. What an entry leaves out has the default of the
 * interface: active, severity `warning`, daily, nulls invalid, no description, a threshold of 0 percent,
 * sensitivity 1.
 */
export type Definition = z.input<typeof definitionSchema>;

/** The rules and metrics of one table. */
export type TableDefinition = z.input<typeof tableSchema>;

/** A rule as the create endpoint takes it, less its table; its key is its name, else its type, within its column. */
export type RuleDefinition = z.input<typeof ruleSchema>;

/** A metric as the create endpoint takes it, less its table; its key is its type, percentile and groups within its column. */
export type MetricDefinition = z.input<typeof metricSchema>;
