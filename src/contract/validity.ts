import * as z from 'zod/mini';

import { defineEndpoint, type Schema } from './endpoint.ts';
import {
  anyObject,
  assetParamsSchema,
  deletionSchema,
  intervalSchema,
  maybe,
  nonEmptyText,
  openEnum,
  pageOf100,
  pageOfAnySize,
} from './field.ts';
import { checkStatuses, intervals, pageSizes, ruleTypes, severities } from './vocabulary.ts';

const interval = openEnum(intervals);

/** A rule as lists and the create response carry it (interface: Validity rule). */
export const validityRuleSchema = z.looseObject({
  /** Internal numeric id; results name it as `validity_rule_id`. */
  id: z.number(),
  /** `v_` and a UUID; the `rule_id` of paths. */
  uuid: z.string(),
  /** `<catalog>.<schema>.<table>`. */
  table_path: maybe(z.string()),
  column_name: maybe(z.string()),
  rule_type: maybe(openEnum(ruleTypes)),
  name: maybe(z.string()),
  severity: maybe(openEnum(severities)),
  is_active: maybe(z.boolean()),
  check_interval: maybe(interval),
  /** ISO 8601, UTC. */
  created_at: maybe(z.string()),
});

/** A rule as lists and the create response carry it. */
export type ValidityRule = z.infer<typeof validityRuleSchema>;

/** A rule as its detail response carries it (interface: Validity rule). */
export const validityRuleDetailSchema = z.looseObject({
  /** Internal numeric id; results name it as `validity_rule_id`. */
  id: z.number(),
  /** `v_` and a UUID; the `rule_id` of paths. */
  uuid: z.string(),
  /** `<catalog>.<schema>.<table>`. */
  table_path: maybe(z.string()),
  column_name: maybe(z.string()),
  rule_type: maybe(openEnum(ruleTypes)),
  /** Its keys depend on `rule_type`; null for types without configuration. */
  rule_config: maybe(anyObject),
  name: maybe(z.string()),
  description: maybe(z.string()),
  severity: maybe(openEnum(severities)),
  is_active: maybe(z.boolean()),
  /** Percent units: the rule alerts when the invalid percentage exceeds it. */
  alert_threshold_percent: maybe(z.number()),
  treat_null_as_valid: maybe(z.boolean()),
  check_interval: maybe(interval),
});

/** A rule as its detail response carries it. */
export type ValidityRuleDetail = z.infer<typeof validityRuleDetailSchema>;

/** One check of a rule, as the list of results carries it (interface: Validity check result). */
export const validityCheckResultSchema = z.looseObject({
  id: z.number(),
  /** The rule's numeric `id`. */
  validity_rule_id: maybe(z.number()),
  status: maybe(openEnum(checkStatuses)),
  /** Rows examined. */
  total_rows: maybe(z.number()),
  invalid_count: maybe(z.number()),
  /** Percent units: 25 invalid of 10,000 rows is 0.25. */
  invalid_percent: maybe(z.number()),
  execution_duration_ms: maybe(z.number()),
  /** ISO 8601, UTC. */
  checked_at: maybe(z.string()),
});

/** One check of a rule, as the list of results carries it. */
export type ValidityCheckResult = z.infer<typeof validityCheckResultSchema>;

/** One row that broke a rule. */
export const invalidSampleSchema = z.looseObject({
  row_id: maybe(z.number()),
  value: z.optional(z.unknown()),
});

/** One row that broke a rule. */
export type InvalidSample = z.infer<typeof invalidSampleSchema>;

/** One check of a rule, as triggering it answers (interface: Validity check result). */
export const validityCheckSchema = z.looseObject({
  ...validityCheckResultSchema.shape,
  invalid_samples: maybe(z.looseObject({ samples: maybe(z.array(invalidSampleSchema)) })),
});

/** One check of a rule, as triggering it answers. */
export type ValidityCheck = z.infer<typeof validityCheckSchema>;

/** Counts over the rules of an asset (interface: Validity summary). */
export const validitySummarySchema = z.looseObject({
  total_rules: maybe(z.number()),
  passing: maybe(z.number()),
  failing: maybe(z.number()),
  error: maybe(z.number()),
});

/** Counts over the rules of an asset. */
export type ValiditySummary = z.infer<typeof validitySummarySchema>;

const ruleParamsSchema = z.strictObject({ asset_id: nonEmptyText, rule_id: nonEmptyText });

/** Query of the list of rules (interface: Validity, GET). */
export const validityListQuerySchema = z.strictObject({
  rule_type: z.optional(openEnum(ruleTypes)),
  is_active: z.optional(z.boolean()),
  ...pageOf100,
});

/** Query of the list of rules. */
export type ValidityListQuery = z.input<typeof validityListQuerySchema>;

/** Query of the list of a rule's results (interface: Validity, GET results). */
export const validityResultsQuerySchema = z.strictObject(pageOfAnySize);

/** Query of the list of a rule's results. */
export type ValidityResultsQuery = z.input<typeof validityResultsQuerySchema>;

const ruleFields = {
  /** `<catalog>.<schema>.<table>`. */
  table_path: nonEmptyText,
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  /** Default `warning`. */
  severity: z.optional(z.enum(severities)),
  /** Custom error message; no response carries it. */
  error_message: z.optional(z.string()),
  /** Percent units: alert when the invalid percentage exceeds it. */
  alert_threshold_percent: z.optional(z.number().check(z.gte(0), z.lte(100))),
  /** Default false. */
  treat_null_as_valid: z.optional(z.boolean()),
  /** Default `daily`. */
  check_interval: z.optional(intervalSchema),
};

/** Body that creates a rule: what `rule_config` and `column_name` must hold depends on `rule_type` (interface: Create rule body). */
export const createValidityRuleSchema = z.discriminatedUnion('rule_type', [
  z.strictObject({
    rule_type: z.literal(['NOT_NULL', 'UNIQUE']),
    column_name: nonEmptyText,
    rule_config: z.optional(z.null()),
    ...ruleFields,
  }),
  z.strictObject({
    rule_type: z.literal('REGEX'),
    column_name: nonEmptyText,
    rule_config: z.strictObject({ pattern: z.string() }),
    ...ruleFields,
  }),
  z.strictObject({
    rule_type: z.literal('RANGE'),
    column_name: nonEmptyText,
    /** Both bounds are inclusive; at least one is needed. */
    rule_config: z.strictObject({ min: z.optional(z.number()), max: z.optional(z.number()) }).check(
      z.refine(({ min, max }) => min !== undefined || max !== undefined, 'needs min or max'),
      z.refine(
        ({ min, max }) => min === undefined || max === undefined || min <= max,
        'min must not exceed max',
      ),
    ),
    ...ruleFields,
  }),
  z.strictObject({
    rule_type: z.literal('ENUM'),
    column_name: nonEmptyText,
    rule_config: z.strictObject({
      allowed_values: z
        .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .check(z.minLength(1, 'must not be empty')),
    }),
    ...ruleFields,
  }),
  z.strictObject({
    rule_type: z.literal('DATE_FORMAT'),
    column_name: nonEmptyText,
    /** Such as `YYYY-MM-DD` or `%Y-%m-%d`. */
    rule_config: z.strictObject({ format: nonEmptyText }),
    ...ruleFields,
  }),
  z.strictObject({
    rule_type: z.literal('CUSTOM_SQL'),
    column_name: z.optional(nonEmptyText),
    /** A boolean expression over the row. */
    rule_config: z.strictObject({ sql_expression: nonEmptyText }),
    ...ruleFields,
  }),
]);

/** Body that creates a rule: what `rule_config` and `column_name` must hold depends on `rule_type`. */
export type CreateValidityRule = z.input<typeof createValidityRuleSchema>;

/** Body that changes a rule (interface: Validity, PATCH). */
export const updateValidityRuleSchema = z.strictObject({
  is_active: z.optional(z.boolean()),
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  severity: z.optional(z.enum(severities)),
  alert_threshold_percent: z.optional(z.number().check(z.gte(0), z.lte(100))),
  treat_null_as_valid: z.optional(z.boolean()),
  check_interval: z.optional(intervalSchema),
});

/** Body that changes a rule. */
export type UpdateValidityRule = z.input<typeof updateValidityRuleSchema>;

/** Body that triggers a check (interface: Validity, POST check). */
export const checkValidityRuleSchema = z.strictObject({
  /** Most invalid rows to collect; the service's default is 10. */
  sample_limit: z.optional(z.int().check(z.gte(0))),
});

/** Body that triggers a check. */
export type CheckValidityRule = z.input<typeof checkValidityRuleSchema>;

/** The endpoints of the validity rules (interface: Validity). */
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
    response: validitySummarySchema,
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
    response: validityRuleSchema,
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
    response: validityRuleDetailSchema,
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
    response: validityRuleSchema,
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
    // zod's partial adds undefined to each type; JSON has no such value.
    response: z.partial(validityRuleDetailSchema) as unknown as Schema<Partial<ValidityRuleDetail>>,
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
    response: deletionSchema,
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
    response: validityCheckSchema,
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
    response: validityCheckResultSchema,
    pageSize: pageSizes.history,
  }),
};
