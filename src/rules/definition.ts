import * as z from 'zod/mini';

import { destinationSchema, type DestinationConfiguration } from '../contract/destination.ts';
import { type Field, nonEmptyText, type RequestSchema } from '../contract/field.ts';
import {
  type ColumnMetric,
  metricSchemas,
  type PercentileMetric,
  type RowCountMetric,
} from '../contract/create-metric.ts';
import {
  type CustomSqlRule,
  type DateFormatRule,
  type EnumRule,
  type NotNullRule,
  type RangeRule,
  type RegexRule,
  ruleSchemas,
  type UniqueRule,
} from '../contract/create-rule.ts';
import {
  freshnessSchema,
  type FreshnessDefinition,
  type TableFreshness,
  tableFreshnessSchema,
} from './freshness.ts';

const entryShape = {
  /**
   * Who looks after it. The service does not know owners: plans and gates show them, and select by them.
   */
  owner: z.optional(nonEmptyText),
  /** Words to select it by. The service does not know them: plans and gates show them, and select by them. */
  tags: z.optional(z.array(nonEmptyText)),
  /**
   * Whether the service runs it.
   *
   * @default true
   */
  is_active: z.optional(z.boolean()),
};

/** What an entry of a definition has that the body of a create has not. */
interface EntryFields extends z.input<RequestSchema<typeof entryShape>> {}

/** The body that creates a rule or metric, without its table, which is above it in a definition. */
export type DefinitionEntry<Body> = Omit<Body, 'table_path'> & EntryFields;

const ruleEntryShape = {
  ...entryShape,
  /**
   * The name the rule had before, in the same column: a rule of that name is renamed, and keeps its id and history.
   * It means nothing once that is done.
   */
  renamed_from: z.optional(nonEmptyText),
};

/** What a rule of a definition has that the body of a create has not. */
export interface RuleEntryFields extends z.input<RequestSchema<typeof ruleEntryShape>> {}

/** The body that creates a rule, without its table, which is above it in a definition. */
export type RuleEntry<Body> = Omit<Body, 'table_path'> & RuleEntryFields;

/** A rule as the body that creates it, without its table; its key is its name, else its type, within its column. */
export type RuleDefinition =
  | RuleEntry<NotNullRule>
  | RuleEntry<UniqueRule>
  | RuleEntry<RegexRule>
  | RuleEntry<RangeRule>
  | RuleEntry<EnumRule>
  | RuleEntry<DateFormatRule>
  | RuleEntry<CustomSqlRule>;

/** A metric as the body that creates it, without its table; its key is its type, percentile and groups within its column. */
export type MetricDefinition =
  DefinitionEntry<RowCountMetric> | DefinitionEntry<ColumnMetric> | DefinitionEntry<PercentileMetric>;

/** The schemas of the entries of a kind, made from those of the bodies: a new type is known here as soon as there. */
function entriesOf(bodies: Readonly<Record<string, z.ZodMiniObject>>, own: z.core.$ZodLooseShape) {
  const entries = [...new Set(Object.values(bodies))].map((body) =>
    z.extend(z.omit(body as z.ZodMiniObject<{ table_path: typeof nonEmptyText }>, { table_path: true }), own),
  );
  // The cast states what discriminatedUnion wants: there is at least one.
  return entries as [(typeof entries)[number], ...typeof entries];
}

/** One rule of a definition. */
export const ruleSchema = z.discriminatedUnion(
  'rule_type',
  // An empty name is not a key: services treat it as missing.
  entriesOf(ruleSchemas, { ...ruleEntryShape, name: z.optional(nonEmptyText) }),
) as unknown as Field<RuleDefinition>;

/** One metric of a definition. */
export const metricSchema = z.discriminatedUnion(
  'metric_type',
  entriesOf(metricSchemas, entryShape),
) as unknown as Field<MetricDefinition>;

// The same, under the names of their types.
const namedFreshnessSchema: Field<FreshnessDefinition> = freshnessSchema;
const namedTableFreshnessSchema: Field<TableFreshness> = tableFreshnessSchema;
const namedDestinationSchema: Field<DestinationConfiguration> = destinationSchema;

const tableShape = {
  /** How old the newest rows of the table may be; gates and the local service read it, the service does not. */
  freshness: z.optional(namedTableFreshnessSchema),
  /** The validity rules of the table. */
  rules: z.optional(z.array(ruleSchema)),
  /** The metrics of the table. */
  metrics: z.optional(z.array(metricSchema)),
};

/** The rules and metrics of one table. */
export const tableSchema: RequestSchema<typeof tableShape> = z.strictObject(tableShape);

/** The rules and metrics of one table. */
export interface TableDefinition extends z.input<typeof tableSchema> {}

// The same, under the name of its type.
const namedTableSchema: Field<TableDefinition> = tableSchema;

const keptShape = {
  /** The id of the rule (`v_…`) or metric. */
  id: nonEmptyText,
  /** Why the definition does not describe it; for readers only. */
  reason: z.optional(z.string()),
};

const keptSchema: RequestSchema<typeof keptShape> = z.strictObject(keptShape);

/** A rule or metric of the service that a definition does not describe and `plan` leaves alone. */
export interface KeptDefinition extends z.input<typeof keptSchema> {}

// The same, under the name of its type.
const namedKeptSchema: Field<KeptDefinition> = keptSchema;

/** Where alerts are sent to. */
export const destinationsSchema = z.array(namedDestinationSchema);

const definitionShape = {
  /** Where the local service sends alerts to; the service has no endpoint for them. */
  destinations: z.optional(destinationsSchema),
  /** How old the data of the asset may be; gates read it, the service does not. */
  freshness: z.optional(namedFreshnessSchema),
  /**
   * Rules and metrics of the service that are neither described here nor deleted: `exportRules` lists those that it
   * could not write down. Remove an entry once the definition describes it.
   */
  keep: z.optional(z.array(namedKeptSchema)),
  /** The tables of the asset, by `<catalog>.<schema>.<table>`. */
  tables: z.record(nonEmptyText, namedTableSchema),
};

/** A definition: the rules and metrics an asset should have, by `<catalog>.<schema>.<table>`. */
export const definitionSchema: RequestSchema<typeof definitionShape> = z.strictObject(definitionShape);

/**
 * The rules and metrics an asset should have, and no others but those to `keep`. What an entry leaves out has the default of the
 * service: active, severity `warning`, daily, nulls invalid, no description, a threshold of 0 percent,
 * sensitivity 1.
 */
export interface Definition extends z.input<typeof definitionSchema> {}
