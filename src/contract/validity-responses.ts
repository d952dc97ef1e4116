import type { Description } from './description.ts';
import type { CheckStatus, Interval, LiteralUnion, RuleType, Severity } from './vocabulary.ts';

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
   * Number of the row; the local service counts from 0. Null for a table of a database, whose samples contain the
   * columns of its primary key instead.
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
