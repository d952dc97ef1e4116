/** What a field of a rule or metric means, in one sentence, for editors and for models that fill it in. */
export const definitionFieldDescriptions: Readonly<Record<string, string>> = {
  rule_type: 'What the rule demands of each value.',
  column_name: 'The column the rule or metric looks at.',
  rule_config: 'The configuration of the rule type.',
  description: 'What the rule is for; default none.',
  severity: 'info, warning (default) or critical.',
  alert_threshold_percent: 'The rule fails when more than this percentage of rows is invalid; default 0.',
  treat_null_as_valid: 'Whether nulls pass; default false.',
  check_interval: 'hourly, daily (default) or weekly.',
  is_active: 'Whether the service runs it; default true.',
  metric_type: 'What is measured.',
  capture_interval: 'hourly, daily (default) or weekly.',
  sensitivity: 'Sensitivity of the anomaly detection; default 1.',
  pattern: 'Regular expression that a value must contain a match of.',
  min: 'Least value, inclusive.',
  max: 'Greatest value, inclusive.',
  allowed_values: 'The values that are valid.',
  format:
    'The format of a valid date, in tokens such as YYYY-MM-DD HH:mm:ss or in directives such as %Y-%m-%d.',
  sql_expression: 'A boolean expression over the row, true if the row is valid.',
};
