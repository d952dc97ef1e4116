import * as z from 'zod/mini';

import { definitionSchema } from './definition.ts';

/** What editors show beside a field. */
const descriptions: Readonly<Record<string, string>> = {
  keep: 'Rules and metrics of the service that are neither described here nor deleted.',
  id: 'The id of the rule or metric to keep.',
  reason: 'Why the definition does not describe it; for readers only.',
  tables: 'The tables of the asset, by <catalog>.<schema>.<table>.',
  rules: 'The validity rules of the table.',
  metrics: 'The metrics of the table.',
  rule_type: 'What the rule demands of each value.',
  column_name: 'The column the rule or metric looks at.',
  rule_config: 'The configuration of the rule type.',
  name: 'Key of the rule within its column; without one its type is the key.',
  description: 'What the rule is for; default none.',
  severity: 'info, warning (default) or critical.',
  error_message:
    'Message of your own; no response of the service includes it, so a change of it alone is not detected.',
  alert_threshold_percent: 'The rule fails when more than this percentage of rows is invalid; default 0.',
  treat_null_as_valid: 'Whether nulls pass; default false.',
  check_interval: 'hourly, daily (default) or weekly.',
  is_active: 'Whether the service runs it; default true.',
  metric_type: 'What is measured.',
  capture_interval: 'hourly, daily (default) or weekly.',
  sensitivity: 'Sensitivity of the anomaly detection; default 1.',
  group_by_columns:
    'One value for each combination of these columns; not shown by the service, so not compared.',
  percentile_value: '0 to 100; not shown by the service, so not compared.',
  pattern: 'Regular expression that a value must contain a match of.',
  min: 'Least value, inclusive.',
  max: 'Greatest value, inclusive.',
  allowed_values: 'The values that are valid.',
  format:
    'The format of a valid date, in tokens such as YYYY-MM-DD HH:mm:ss or in directives such as %Y-%m-%d.',
  sql_expression: 'A boolean expression over the row, true if the row is valid.',
};

/** Makes the JSON Schema of a definition, the one shipped as `rules.schema.json`. */
export function definitionJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(definitionSchema, {
    io: 'input',
    override({ jsonSchema }) {
      const { properties = {} } = jsonSchema;
      for (const [name, property] of Object.entries(properties)) {
        const description = descriptions[name];
        // A copy: one schema may describe several fields.
        if (typeof property === 'object' && description !== undefined) {
          properties[name] = { ...property, description };
        }
      }
    },
  });
}
