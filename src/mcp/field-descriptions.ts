import { definitionFieldDescriptions } from '../contract/field-descriptions.ts';
import { metricTypes, ruleTypes, tableStatuses } from '../contract/vocabulary.ts';

/** What a model reads beside a field that it fills in. */
const inputs: Readonly<Record<string, string>> = {
  ...definitionFieldDescriptions,
  asset_id: 'The UUID of the data asset.',
  rule_id: 'The uuid of the rule, v_…, as validity_list returns it.',
  metric_id: 'The id of the metric, m_…, as metrics_list returns it.',
  table_path: 'The table, as <catalog>.<schema>.<table>.',
  name: 'Name for people.',
  rule_config:
    'What the type needs: a pattern for REGEX, min, max or both for RANGE, allowed_values for ENUM, a format for DATE_FORMAT, an sql_expression for CUSTOM_SQL; nothing for NOT_NULL and UNIQUE.',
  column_name: 'The column. Every type but CUSTOM_SQL and row_count needs one.',
  error_message: 'A message of your own for when the rule is broken; no response includes it.',
  rule_type: `One of ${ruleTypes.join(', ')}.`,
  metric_type: `One of ${metricTypes.join(', ')}.`,
  group_by_columns: 'One value for each combination of these columns; no response includes them.',
  percentile_value: 'Which percentile, 0 to 100: 50 is the median.',
  limit: 'Most items to return, 1 to 100; default 20.',
  offset: 'Items to skip; default 0. Take next_offset of the previous result.',
  include_snapshots: 'Whether the latest values are included; default true.',
  snapshot_limit: 'Most values to include; default 30.',
  sample_limit: 'Most invalid rows to collect as samples; default 10.',
  samples:
    'How the values of invalid rows are shown: none, masked (only their shape: x for a letter, 9 for a digit), or full if the user allowed it when starting the server. Default masked.',
  page: 'The page, counted from 1; default 1.',
  page_size: 'Tables per page, 1 to 100; default 20.',
  status_filters: `Only tables with one of these statuses: ${tableStatuses.join(', ')}.`,
  schema_filters: 'Only tables of these schemas.',
  tag_filters: 'Only tables with one of these tags.',
  search_query: 'Only tables whose name contains this text.',
  manifest_path: 'Path of the manifest.json of dbt, relative to the folder that the server was started in.',
  rule_ids: 'Only these rules, by their uuid.',
  rule_types: 'Only rules of these types.',
  table_paths: 'Only rules of these tables, each as <catalog>.<schema>.<table>.',
  severities: 'Only rules of these severities.',
  check_rules: 'Whether rules are checked; default true.',
  check_freshness: 'Whether the data must also be fresh; default false.',
  max_age_minutes: "Oldest age of the data in minutes, in addition to the service's own threshold.",
  capture_metrics: 'Whether metrics are captured too, of which an anomaly is a failure; default false.',
  metric_types: 'Capture only metrics of these types.',
  fail_on: 'The least severity of a failed rule that fails the gate; default warning.',
  allow_empty: 'Whether tables without rows may pass; default false.',
  include_passed: 'Whether the result also lists what passed; default false.',
  deadline_seconds: 'Time for everything; what is not done by then is inconclusive. Default 300.',
  source: 'The definition of rules and metrics, as YAML or JSON text.',
  environment: 'The environment of the definition whose values of variables apply.',
};

/** What a model reads beside a field of a result whose name does not say it. */
const outputs: Readonly<Record<string, string>> = {
  next_offset: 'The offset of the next page; absent on the last one.',
  total: 'Items in the whole list, if the service says so.',
  has_more: 'Whether the list goes on after these items.',
  note: 'What was cut off to keep the result small, and how to get it.',
  invalid_percent: 'Share of the rows that break the rule, in percent: 0.25 is a quarter of a percent.',
  data_age_minutes: 'Age of the data in minutes; null if it is unknown.',
  is_anomaly: 'Whether the value differs from what the earlier ones led to expect.',
};

/** What of a JSON Schema has fields. */
export interface JsonSchema {
  description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
}

/** Adds to each field of an input what it means; `asset` is the one that applies if a call names none. */
export function describeInput(schema: JsonSchema, asset: string | undefined): void {
  describe(schema, {
    ...inputs,
    ...(asset !== undefined && { asset_id: `${inputs['asset_id']} Default ${asset}.` }),
  });
}

/** Adds to the fields of a result what their names do not say. */
export function describeOutput(schema: JsonSchema): void {
  describe(schema, outputs);
}

function describe(schema: JsonSchema, descriptions: Readonly<Record<string, string>>): void {
  const { properties = {}, items, oneOf = [], anyOf = [] } = schema;
  for (const [name, field] of Object.entries(properties)) {
    const description = descriptions[name];
    if (description !== undefined) field.description = description;
    describe(field, descriptions);
  }
  if (items !== undefined) describe(items, descriptions);
  for (const inner of [...oneOf, ...anyOf]) describe(inner, descriptions);
}
