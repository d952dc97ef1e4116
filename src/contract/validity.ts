import * as z from 'zod/mini';

import { type Description, partial } from './description.ts';
import { defineEndpoint } from './endpoint.ts';
import {
  assetParamsSchema,
  definitionsPage,
  deletionFields,
  type Field,
  historyPage,
  intervalSchema,
  nonEmptyText,
  type RequestSchema,
  word,
} from './field.ts';
import {
  type CheckStatus,
  type Interval,
  type LiteralUnion,
  pageSizes,
  type RuleType,
  severities,
  type Severity,
} from './vocabulary.ts';

/** What every rule of a response has. */
interface RuleCore {
  /** Internal numeric id; results have it as `validity_rule_id`. */
  id: number;
  /** `v_` and a UUID: the `rule_id` of paths. */
  uuid: string;
  /** The table, as `<catalog>.<schema>.<table>`. */
  table_path: string;
  /** The column the rule is about; null for a CUSTOM_SQL rule without one. */
  column_name: string | null;
  /** What the rule demands of each value. */
  rule_type: LiteralUnion<RuleType>;
  /** Name for people; null if none was given. */
  name: string | null;
  /** `info`, `warning` or `critical`. */
  severity: LiteralUnion<Severity>;
  /** Whether the service checks the rule. */
  is_active: boolean;
  /** How often the service checks the rule: `hourly`, `daily` or `weekly`. */
  check_interval: LiteralUnion<Interval>;
}

/** A rule, as lists and the response to a create return it. */
export interface ValidityRule extends RuleCore {
  /** When the rule was created, ISO 8601, UTC. */
  created_at: string;
}

/** What every rule of a response must have, besides its id. */
const ruleCore = {
  table_path: 'string',
  column_name: 'string',
  rule_type: 'string',
  name: 'string',
  severity: 'string',
  is_active: 'boolean',
} as const;

/** What of a rule is checked. */
export const ruleFields: Description<ValidityRule> = { required: { uuid: 'string' }, nullable: ruleCore };

/** A rule with its configuration, as the detail response returns it. */
export interface ValidityRuleDetail extends RuleCore {
  /** The configuration, with keys that depend on `rule_type`; null for a type without one. */
  rule_config: Readonly<Record<string, unknown>> | null;
  /** What the rule is for; null if none was given. */
  description: string | null;
  /**
   * The check fails if more than this percentage of the rows is invalid, in percent units: 0.5 is half a percent.
   * Null if none was given.
   */
  alert_threshold_percent: number | null;
  /** Whether null values pass. */
  treat_null_as_valid: boolean;
}

/** What of a rule with its configuration is checked. */
export const ruleDetailFields: Description<ValidityRuleDetail> = {
  required: { uuid: 'string' },
  nullable: { ...ruleCore, rule_config: 'object' },
};

/** The result of a check, as the list of results returns it. */
export interface ValidityCheckResult {
  /** Numeric id of the result. */
  id: number;
  /** The numeric `id` of the rule. */
  validity_rule_id: number;
  /** `pass`, `fail`, or `error` if the rule could not be evaluated. */
  status: LiteralUnion<CheckStatus>;
  /** Rows examined; null if the rule could not be evaluated. */
  total_rows: number | null;
  /** Rows that break the rule; null if the rule could not be evaluated. */
  invalid_count: number | null;
  /** Share of the rows that break the rule, in percent units: 25 invalid rows of 10,000 are 0.25. */
  invalid_percent: number;
  /** Duration of the check in milliseconds. */
  execution_duration_ms: number;
  /** When the rule was checked, ISO 8601, UTC. */
  checked_at: string;
  /** Why the rule could not be evaluated; the local service sends it with the status `error`. */
  error_message?: string | null | undefined;
}

/** What of the result of a check is checked. */
export const resultFields: Description<ValidityCheckResult> = {
  nullable: { status: 'string', total_rows: 'number', invalid_count: 'number', invalid_percent: 'number' },
};

/** A row that breaks a rule. */
export interface InvalidSample {
  /**
   * Number of the row; null for a table of a database, whose samples contain the columns of its primary key
   * instead.
   */
  row_id: number | null;
  /** The invalid value, as JSON. */
  value: unknown;
}

/** Samples of the rows that break a rule. */
export interface InvalidSamples {
  /** Rows that break the rule, at most `sample_limit`. */
  samples: readonly InvalidSample[];
}

/** The result of a check with samples, as triggering the check returns it. */
export interface ValidityCheck extends ValidityCheckResult {
  /** Samples of the rows that break the rule; null if the service has none. */
  invalid_samples: InvalidSamples | null;
}

/** What of the result of a triggered check is checked. */
export const checkFields: Description<ValidityCheck> = resultFields;

/** Counts over the rules of an asset. */
export interface ValiditySummary {
  /** Rules of the asset. */
  total_rules: number;
  /** Rules whose latest check passed. */
  passing: number;
  /** Rules whose latest check failed. */
  failing: number;
  /** Rules whose latest check could not be evaluated. */
  error: number;
}

/** What of the counts is checked. */
export const validitySummaryFields: Description<ValiditySummary> = {
  nullable: { total_rules: 'number', passing: 'number', failing: 'number', error: 'number' },
};

const ruleParamsSchema = z.strictObject({ asset_id: nonEmptyText, rule_id: nonEmptyText });

const listFilter = {
  /** Only rules of this type. */
  rule_type: z.optional(word<RuleType>()),
  /** Only active rules, or only inactive ones. */
  is_active: z.optional(z.boolean()),
};

const listQueryShape: typeof listFilter & typeof definitionsPage = { ...listFilter, ...definitionsPage };

/** The query of the list of rules. */
export const validityListQuerySchema: RequestSchema<typeof listQueryShape> = z.strictObject(listQueryShape);

/** The query of the list of rules. */
export interface ValidityListQuery extends z.input<typeof validityListQuerySchema> {}

/** The query of the list of a rule's results. */
export const validityResultsQuerySchema: RequestSchema<typeof historyPage> = z.strictObject(historyPage);

/** The query of the list of a rule's results. */
export interface ValidityResultsQuery extends z.input<typeof validityResultsQuerySchema> {}

const percent = z.number().check(z.gte(0), z.lte(100));

/** What every rule can have. */
const commonShape = {
  /** The table, as `<catalog>.<schema>.<table>`. */
  table_path: nonEmptyText,
  /** Name for people. */
  name: z.optional(z.string()),
  /** What the rule is for. */
  description: z.optional(z.string()),
  /**
   * How grave it is if the rule is broken: `info`, `warning` or `critical`.
   *
   * @default warning
   */
  severity: z.optional(z.enum(severities)),
  /** A message of your own for when the rule is broken; no response includes it. */
  error_message: z.optional(z.string()),
  /**
   * The check fails if more than this percentage of the rows is invalid, 0 to 100, in percent units: 0.5 is half a
   * percent.
   */
  alert_threshold_percent: z.optional(percent),
  /**
   * Whether null values pass.
   *
   * @default false
   */
  treat_null_as_valid: z.optional(z.boolean()),
  /**
   * How often the service checks the rule: `hourly`, `daily` or `weekly`.
   *
   * @default daily
   */
  check_interval: z.optional(intervalSchema),
};

/** What every rule about a column has. */
const columnShape = {
  ...commonShape,
  /** The column the rule is about. */
  column_name: nonEmptyText,
};

const noConfigSchema = z.nullish(z.strictObject({})) as unknown as z.ZodMiniOptional<
  Field<Readonly<Record<string, never>> | null>
>;

const notNullShape = {
  ...columnShape,
  /** Every value must be there. */
  rule_type: z.literal('NOT_NULL'),
  /** This type has no configuration. */
  rule_config: noConfigSchema,
};
const notNullRuleSchema: RequestSchema<typeof notNullShape> = z.strictObject(notNullShape);

/** A rule that a column contains no null values. */
export interface NotNullRule extends z.input<typeof notNullRuleSchema> {}

const uniqueShape = {
  ...columnShape,
  /** No two values may be equal. */
  rule_type: z.literal('UNIQUE'),
  /** This type has no configuration. */
  rule_config: noConfigSchema,
};
const uniqueRuleSchema: RequestSchema<typeof uniqueShape> = z.strictObject(uniqueShape);

/** A rule that the values of a column are unique. */
export interface UniqueRule extends z.input<typeof uniqueRuleSchema> {}

const regexConfigShape = {
  /** The regular expression that a valid value contains a match of. */
  pattern: z.string(),
};
const regexConfigSchema: RequestSchema<typeof regexConfigShape> = z.strictObject(regexConfigShape);

/** The configuration of a {@link RegexRule}. */
export interface RegexConfig extends z.input<typeof regexConfigSchema> {}

const regexShape = {
  ...columnShape,
  /** Every value must match a regular expression. */
  rule_type: z.literal('REGEX'),
  /** The regular expression. */
  rule_config: regexConfigSchema as Field<RegexConfig>,
};
const regexRuleSchema: RequestSchema<typeof regexShape> = z.strictObject(regexShape);

/** A rule that the values of a column match a regular expression. */
export interface RegexRule extends z.input<typeof regexRuleSchema> {}

const rangeConfigShape = {
  /** Least valid value, inclusive; at least one of `min` and `max` is needed. */
  min: z.optional(z.number()),
  /** Greatest valid value, inclusive. */
  max: z.optional(z.number()),
};
const rangeConfigSchema: RequestSchema<typeof rangeConfigShape> = z.strictObject(rangeConfigShape).check(
  z.refine(({ min, max }) => min !== undefined || max !== undefined, 'needs min or max'),
  z.refine(({ min, max }) => min === undefined || max === undefined || min <= max, 'min must not exceed max'),
);

/** The configuration of a {@link RangeRule}. */
export interface RangeConfig extends z.input<typeof rangeConfigSchema> {}

const rangeShape = {
  ...columnShape,
  /** Every number must be within a range. */
  rule_type: z.literal('RANGE'),
  /** The range: both bounds are inclusive, and at least one is needed. */
  rule_config: rangeConfigSchema as Field<RangeConfig>,
};
const rangeRuleSchema: RequestSchema<typeof rangeShape> = z.strictObject(rangeShape);

/** A rule that the numbers in a column are within a range. */
export interface RangeRule extends z.input<typeof rangeRuleSchema> {}

const enumConfigShape = {
  /** The valid values, at least one. */
  allowed_values: z
    .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .check(z.minLength(1, 'must not be empty')),
};
const enumConfigSchema: RequestSchema<typeof enumConfigShape> = z.strictObject(enumConfigShape);

/** The configuration of an {@link EnumRule}. */
export interface EnumConfig extends z.input<typeof enumConfigSchema> {}

const enumShape = {
  ...columnShape,
  /** Every value must be in a set. */
  rule_type: z.literal('ENUM'),
  /** The set. */
  rule_config: enumConfigSchema as Field<EnumConfig>,
};
const enumRuleSchema: RequestSchema<typeof enumShape> = z.strictObject(enumShape);

/** A rule that the values of a column are in a set. */
export interface EnumRule extends z.input<typeof enumRuleSchema> {}

const dateFormatConfigShape = {
  /**
   * The format of a valid value, in tokens such as `YYYY-MM-DD HH:mm:ss` or in directives such as `%Y-%m-%d`. The
   * local service knows the tokens YYYY YY, MMMM MMM MM M, DD D, dddd ddd, HH H hh h, mm m, ss s, SSS SSSSSS, A a,
   * Z ZZ, and DDDD DDD.
   */
  format: nonEmptyText,
};
const dateFormatConfigSchema: RequestSchema<typeof dateFormatConfigShape> =
  z.strictObject(dateFormatConfigShape);

/** The configuration of a {@link DateFormatRule}. */
export interface DateFormatConfig extends z.input<typeof dateFormatConfigSchema> {}

const dateFormatShape = {
  ...columnShape,
  /** Every value must be a date in one format. */
  rule_type: z.literal('DATE_FORMAT'),
  /** The format. */
  rule_config: dateFormatConfigSchema as Field<DateFormatConfig>,
};
const dateFormatRuleSchema: RequestSchema<typeof dateFormatShape> = z.strictObject(dateFormatShape);

/** A rule that the values of a column are dates in one format. */
export interface DateFormatRule extends z.input<typeof dateFormatRuleSchema> {}

const customSqlConfigShape = {
  /** A boolean expression over the columns of a row, true if the row is valid, such as `shipped_at >= ordered_at`. */
  sql_expression: nonEmptyText,
};
const customSqlConfigSchema: RequestSchema<typeof customSqlConfigShape> =
  z.strictObject(customSqlConfigShape);

/** The configuration of a {@link CustomSqlRule}. */
export interface CustomSqlConfig extends z.input<typeof customSqlConfigSchema> {}

const customSqlShape = {
  ...commonShape,
  /** Every row must meet a condition. */
  rule_type: z.literal('CUSTOM_SQL'),
  /** The column whose values are shown as samples; without one the rows are. */
  column_name: z.optional(nonEmptyText),
  /** The condition. */
  rule_config: customSqlConfigSchema as Field<CustomSqlConfig>,
};
const customSqlRuleSchema: RequestSchema<typeof customSqlShape> = z.strictObject(customSqlShape);

/** A rule that every row meets a condition. */
export interface CustomSqlRule extends z.input<typeof customSqlRuleSchema> {}

/** The body that creates a rule, by its type. */
export const ruleSchemas = {
  NOT_NULL: notNullRuleSchema,
  UNIQUE: uniqueRuleSchema,
  REGEX: regexRuleSchema,
  RANGE: rangeRuleSchema,
  ENUM: enumRuleSchema,
  DATE_FORMAT: dateFormatRuleSchema,
  CUSTOM_SQL: customSqlRuleSchema,
} as const satisfies Readonly<Record<RuleType, z.ZodMiniObject>>;

/** The body that creates a rule: what `rule_config` and `column_name` must be depends on `rule_type`. */
export type CreateValidityRule =
  NotNullRule | UniqueRule | RegexRule | RangeRule | EnumRule | DateFormatRule | CustomSqlRule;

/** The body that creates a rule: what `rule_config` and `column_name` must be depends on `rule_type`. */
export const createValidityRuleSchema: Field<CreateValidityRule> = z.discriminatedUnion('rule_type', [
  ruleSchemas.NOT_NULL,
  ruleSchemas.UNIQUE,
  ruleSchemas.REGEX,
  ruleSchemas.RANGE,
  ruleSchemas.ENUM,
  ruleSchemas.DATE_FORMAT,
  ruleSchemas.CUSTOM_SQL,
]);

const updateShape = {
  /** Whether the service checks the rule. */
  is_active: z.optional(z.boolean()),
  /** Name for people. */
  name: z.optional(z.string()),
  /** What the rule is for; null removes it. */
  description: z.optional(z.nullable(z.string())),
  /** How grave it is if the rule is broken: `info`, `warning` or `critical`. */
  severity: z.optional(z.enum(severities)),
  /**
   * The check fails if more than this percentage of the rows is invalid, 0 to 100, in percent units: 0.5 is half a
   * percent. Null removes it.
   */
  alert_threshold_percent: z.optional(z.nullable(percent)),
  /** Whether null values pass. */
  treat_null_as_valid: z.optional(z.boolean()),
  /** How often the service checks the rule: `hourly`, `daily` or `weekly`. */
  check_interval: z.optional(intervalSchema),
};

/** The body that changes a rule. */
export const updateValidityRuleSchema: RequestSchema<typeof updateShape> = z.strictObject(updateShape);

/** The body that changes a rule. */
export interface UpdateValidityRule extends z.input<typeof updateValidityRuleSchema> {}

const triggerShape = {
  /**
   * Most invalid rows to collect as samples, at least 0.
   *
   * @default 10
   */
  sample_limit: z.optional(z.int().check(z.gte(0))),
};

/** The body that triggers a check. */
export const checkValidityRuleSchema: RequestSchema<typeof triggerShape> = z.strictObject(triggerShape);

/** The body that triggers a check. */
export interface CheckValidityRule extends z.input<typeof checkValidityRuleSchema> {}

/** The endpoints of the validity rules. */
export const validityEndpoints = {
  summary: defineEndpoint({
    name: 'validity.summary',
    summary: 'Counts the rules of an asset by the outcome of their latest check.',
    method: 'GET',
    path: '/api/v1/sdk/validity/{asset_id}/summary',
    retry: 'safe',
    scope: 'read-only',
    request: { params: assetParamsSchema },
    envelope: 'object',
    response: validitySummaryFields,
  }),
  list: defineEndpoint({
    name: 'validity.list',
    summary: 'Lists the rules of an asset.',
    method: 'GET',
    path: '/api/v1/sdk/validity/{asset_id}',
    retry: 'safe',
    scope: 'read-only',
    request: { params: assetParamsSchema, query: validityListQuerySchema },
    envelope: 'list',
    response: ruleFields,
    pageSize: pageSizes.definitions,
  }),
  get: defineEndpoint({
    name: 'validity.get',
    summary: 'Returns one rule with its configuration.',
    method: 'GET',
    path: '/api/v1/sdk/validity/{asset_id}/{rule_id}',
    retry: 'safe',
    scope: 'read-only',
    request: { params: ruleParamsSchema },
    envelope: 'object',
    response: ruleDetailFields,
  }),
  create: defineEndpoint({
    name: 'validity.create',
    summary: 'Creates a rule.',
    method: 'POST',
    path: '/api/v1/sdk/validity/{asset_id}',
    retry: 'never',
    scope: 'read-write',
    request: { params: assetParamsSchema, body: createValidityRuleSchema },
    envelope: 'object',
    response: ruleFields,
  }),
  update: defineEndpoint({
    name: 'validity.update',
    summary: 'Changes a rule.',
    method: 'PATCH',
    path: '/api/v1/sdk/validity/{asset_id}/{rule_id}',
    retry: 'idempotent',
    scope: 'read-write',
    request: { params: ruleParamsSchema, body: updateValidityRuleSchema },
    envelope: 'optional',
    response: partial(ruleDetailFields),
  }),
  delete: defineEndpoint({
    name: 'validity.delete',
    summary: 'Deletes a rule.',
    method: 'DELETE',
    path: '/api/v1/sdk/validity/{asset_id}/{rule_id}',
    retry: 'idempotent',
    scope: 'read-write',
    request: { params: ruleParamsSchema },
    envelope: 'deletion',
    response: deletionFields,
  }),
  check: defineEndpoint({
    name: 'validity.check',
    summary: 'Checks a rule now and returns the result with samples of the invalid rows.',
    method: 'POST',
    path: '/api/v1/sdk/validity/{asset_id}/{rule_id}/check',
    retry: 'never',
    scope: 'read-write',
    request: { params: ruleParamsSchema, body: checkValidityRuleSchema },
    envelope: 'object',
    response: checkFields,
    timeout: 300_000,
  }),
  results: defineEndpoint({
    name: 'validity.results',
    summary: 'Lists the results of a rule, newest first.',
    method: 'GET',
    path: '/api/v1/sdk/validity/{asset_id}/{rule_id}/results',
    retry: 'safe',
    scope: 'read-only',
    request: { params: ruleParamsSchema, query: validityResultsQuerySchema },
    envelope: 'list',
    response: resultFields,
    pageSize: pageSizes.history,
  }),
};
