import * as z from 'zod/mini';

import { createValidityRuleSchema } from './create-rule.ts';
import { partial } from './description.ts';
import { defineEndpoint } from './endpoint.ts';
import {
  assetParamsSchema,
  definitionsPage,
  deletionFields,
  historyPage,
  intervalSchema,
  nonEmptyText,
  percent,
  type RequestSchema,
  word,
} from './field.ts';
import {
  checkFields,
  resultFields,
  ruleDetailFields,
  ruleFields,
  validitySummaryFields,
} from './validity-responses.ts';
import { pageSizes, type RuleType, severities } from './vocabulary.ts';

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
