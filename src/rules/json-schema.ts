import * as z from 'zod/mini';

import { definitionSchema } from './definition.ts';
import { defaultsSchema } from './expand.ts';
import { variablesSchema } from './variables.ts';

/** What editors show beside a field. */
const descriptions: Readonly<Record<string, string>> = {
  variables: 'Values that ${name} stands for in the tables, by their names.',
  environments: 'Values of variables that apply in one environment, by its name.',
  defaults: 'Fields of all rules and metrics below that do not have them themselves.',
  columns: 'Several columns: one rule or metric for each.',
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
  renamed_from: 'The name the rule had before; it is renamed and keeps its history.',
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

type Schema = z.core.JSONSchema.BaseSchema;

/** Fields that say which type an entry has: a variable cannot replace them. */
const typeFields = new Set(['rule_type', 'metric_type']);

const variableReference = { type: 'string', pattern: String.raw`^\$\{[A-Za-z_]\w*\}$` } as const;

/** Makes the JSON Schema of the text of a definition, the one shipped as `rules.schema.json`. */
export function definitionJsonSchema(): Record<string, unknown> {
  const schema: Schema = z.toJSONSchema(definitionSchema, { io: 'input', reused: 'inline' });
  const variables = toJson(variablesSchema);
  const defaults = toJson(defaultsSchema);
  const environments = { type: 'object', additionalProperties: variables } as const;
  schema.properties = { variables, environments, defaults, ...schema.properties };
  const table = asSchema(asSchema(schema.properties['tables']).additionalProperties);
  table.properties = { defaults: structuredClone(defaults), ...table.properties };
  for (const kind of ['rules', 'metrics']) {
    const items = asSchema(asSchema(table.properties[kind]).items);
    items.oneOf = (items.oneOf ?? []).flatMap((entry) => withColumns(asSchema(entry)));
  }
  describe(schema);
  return schema;
}

/** An entry as it is, and if it has a column, as one that is written once for several. */
function withColumns(entry: Schema): Schema[] {
  const { properties = {}, required = [] } = entry;
  const { column_name: column, ...others } = properties;
  if (column === undefined) return [entry];
  const columns: Schema = { type: 'array', items: column, minItems: 1 };
  const spread: Schema = {
    ...entry,
    properties: { columns, ...others },
    required: ['columns', ...required.filter((name) => name !== 'column_name')],
  };
  return [entry, structuredClone(spread)];
}

/** Describes every field, and allows a variable if the value is not a text. */
function describe(schema: Schema): void {
  const { properties = {}, additionalProperties, items, oneOf = [] } = schema;
  for (const [name, property] of Object.entries(properties)) {
    const field = asSchema(property);
    describe(field);
    const isText = field.type === 'string' && field.enum === undefined;
    const isScalar = field.type === 'number' || field.type === 'integer' || field.type === 'boolean';
    const takesVariable = (isScalar || field.enum !== undefined) && !isText && !typeFields.has(name);
    const description = descriptions[name];
    properties[name] = {
      ...(takesVariable ? { anyOf: [field, variableReference] } : field),
      ...(description === undefined ? {} : { description }),
    };
  }
  for (const inner of [additionalProperties, items, ...oneOf]) {
    if (typeof inner === 'object' && !Array.isArray(inner)) describe(inner);
  }
}

function toJson(schema: z.core.$ZodType): Schema {
  const { $schema: _version, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return json;
}

function asSchema(value: unknown): Schema {
  // The cast states what a JSON Schema consists of.
  return typeof value === 'object' && value !== null ? (value as Schema) : {};
}
