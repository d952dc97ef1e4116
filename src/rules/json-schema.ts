import * as z from 'zod/mini';

import { definitionFieldDescriptions } from '../contract/field-descriptions.ts';
import { definitionSchema } from './definition.ts';
import { defaultsSchema } from './defaults.ts';
import { variablesSchema } from './variables.ts';

/** What editors show beside a field. */
const descriptions: Readonly<Record<string, string>> = {
  ...definitionFieldDescriptions,
  variables: 'Values that ${name} stands for in the tables, by their names.',
  environments: 'Values of variables that apply in one environment, by its name.',
  defaults: 'Fields of all rules and metrics below that do not have them themselves.',
  columns: 'Several columns: one rule or metric for each.',
  keep: 'Rules and metrics of the service that are neither described here nor deleted.',
  id: 'The id of the rule or metric to keep.',
  reason: 'Why the definition does not describe it; for readers only.',
  tables: 'The tables of the asset, by <catalog>.<schema>.<table>.',
  assets: 'What each of several assets has, by its id, in place of tables.',
  owner: 'Who looks after it; the service does not know it, plans and gates show it.',
  tags: 'Words to select by; the service does not know them, plans and gates do.',
  freshness: 'How old the data may be; gates and the local service read it, the service does not.',
  max_age: 'The oldest age allowed, such as 90m, 24h or 2d.',
  timestamp_column: 'The column with the time of each row, for the local service.',
  destinations: 'Where the local service sends alerts to; the service has no endpoint for them.',
  rules: 'The validity rules of the table.',
  metrics: 'The metrics of the table.',
  name: 'Key of the rule within its column; without one its type is the key.',
  renamed_from: 'The name the rule had before; it is renamed and keeps its history.',
  error_message:
    'Message of your own; no response of the service includes it, so a change of it alone is not detected.',
  group_by_columns:
    'One value for each combination of these columns; not shown by the service, so not compared.',
  percentile_value: '0 to 100; not shown by the service, so not compared.',
};

/** The same for the fields of a destination. */
const destinationDescriptions: Readonly<Record<string, string>> = {
  name: 'A descriptive name; default the address without its path.',
  url: 'Address of the destination: https, or http on this machine.',
  auth: 'The credentials of each delivery: bearer or api_key.',
  bearer: 'A token, sent as Authorization: Bearer …',
  api_key: 'A key, sent as X-API-Key: …',
  headers: 'Headers of each delivery.',
  secret: 'The secret that signs each delivery. Keep it out of the file: use a variable.',
  private: 'Whether the name of the host may lead to a private address; default false.',
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
  const { destinations, ...ofAsset } = schema.properties ?? {};
  const table = asSchema(asSchema(ofAsset['tables']).additionalProperties);
  table.properties = { defaults: structuredClone(defaults), ...table.properties };
  for (const kind of ['rules', 'metrics']) {
    const items = asSchema(asSchema(table.properties[kind]).items);
    items.oneOf = (items.oneOf ?? []).flatMap((entry) => withColumns(asSchema(entry)));
  }
  const asset: Schema = structuredClone({
    type: 'object',
    properties: { defaults, ...ofAsset },
    required: ['tables'],
    additionalProperties: false,
  });
  const assets: Schema = { type: 'object', minProperties: 1, additionalProperties: asset };
  const ofFile = { variables, environments, defaults, destinations: asSchema(destinations) };
  describe(ofFile.destinations, destinationDescriptions);
  schema.properties = { ...ofFile, ...ofAsset, assets };
  delete schema.required;
  schema.oneOf = ['tables', 'assets'].map((name) => ({
    type: 'object',
    properties: { [name]: {} },
    required: [name],
  }));
  describe(schema);
  return schema;
}

/** An entry as it is, and as one that is written once for several columns. */
function withColumns(entry: Schema): Schema[] {
  const { properties = {}, required = [] } = entry;
  const { column_name: column, ...others } = properties;
  const columns: Schema = { type: 'array', items: asSchema(column), minItems: 1 };
  const spread: Schema = {
    ...entry,
    properties: { columns, ...others },
    required: ['columns', ...required.filter((name) => name !== 'column_name')],
  };
  return [entry, structuredClone(spread)];
}

/** Describes every field, and allows a variable if the value is not a text. */
function describe(schema: Schema, texts = descriptions): void {
  const { properties = {}, additionalProperties, items, oneOf = [], anyOf = [] } = schema;
  for (const [name, property] of Object.entries(properties)) {
    const field = asSchema(property);
    describe(field, texts);
    const isNotText = field.type === 'number' || field.type === 'boolean' || field.enum !== undefined;
    const takesVariable = isNotText && !typeFields.has(name);
    const description = field.description ?? texts[name];
    properties[name] = {
      ...(takesVariable ? { anyOf: [field, variableReference] } : field),
      ...(description === undefined ? {} : { description }),
    };
  }
  for (const inner of [additionalProperties, items, ...oneOf, ...anyOf]) {
    if (typeof inner === 'object' && !Array.isArray(inner)) describe(inner, texts);
  }
}

function toJson(schema: z.core.$ZodType): Schema {
  const { $schema: _version, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return json;
}

/** The cast states what a JSON Schema consists of. */
function asSchema(value: unknown): Schema {
  return value as Schema;
}
