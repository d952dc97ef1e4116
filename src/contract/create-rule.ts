// The body that creates a rule, by its type.
import * as z from 'zod/mini';

import { type Field, intervalSchema, nonEmptyText, percent, type RequestSchema } from './field.ts';
import { type RuleType, severities } from './vocabulary.ts';

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
   * local service knows the tokens `YYYY YY MMMM MMM MM M DD D dddd ddd HH H hh h mm m ss s SSS SSSSSS A a ZZ Z`, and
   * other text in `[brackets]`.
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
