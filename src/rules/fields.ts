/**
 * What PATCH changes of a rule, with what a field means that is left out: the defaults of the interface, and
 * if it names none, the value that changes nothing.
 */
export const ruleDefaults = {
  description: '',
  severity: 'warning',
  alert_threshold_percent: 0,
  treat_null_as_valid: false,
  check_interval: 'daily',
  is_active: true,
} as const;

/** What PATCH changes of a metric, with the defaults of the interface. */
export const metricDefaults = { capture_interval: 'daily', sensitivity: 1, is_active: true } as const;

/** The fields of a rule's configuration; other keys are the service's own. */
export const configKeys = ['pattern', 'min', 'max', 'allowed_values', 'format', 'sql_expression'] as const;

/** Parts of a metric's key that no response is documented to include. */
export const hiddenMetricKeys = ['percentile_value', 'group_by_columns'] as const;
