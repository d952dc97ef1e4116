import { definitionJsonSchema, parseDefinition } from 'data-quality-client/rules';
import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';

import { metricTypes, ruleTypes } from '../../src/contract/vocabulary.ts';

type Json = Readonly<Record<string, unknown>>;

/** Every field of the schema with its description, in the order of the schema. */
function describedFields(schema: unknown): [name: string, description: unknown][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: Readonly<Record<string, Json>> };
  const own = Object.entries(properties).map(([name, { description }]): [string, unknown] => [
    name,
    description,
  ]);
  return [...own, ...Object.values(schema).flatMap(describedFields)];
}

describe('the JSON schema of a definition', () => {
  const fields = describedFields(definitionJsonSchema());

  it('describes every field', () => {
    expect(fields.length).toBeGreaterThan(50);
    expect(fields.filter(([, description]) => typeof description !== 'string')).toEqual([]);
  });

  it.each([
    ['column_name', /^The column/],
    ['format', /^The format of a valid date/],
    ['sql_expression', /^A boolean expression/],
    ['pattern', /^Regular expression/],
  ])('describes %s as what it is', (name, description) => {
    const found = fields.filter(([field]) => field === name);
    expect(found).not.toEqual([]);
    for (const [, text] of found) expect(text).toMatch(description);
  });

  it('does not describe the name of a table as a column', () => {
    expect(JSON.stringify(definitionJsonSchema())).not.toMatch(/"propertyNames":\{[^}]*"description"/);
  });
});

describe('the JSON schema of a definition of one table', () => {
  const rule = { rule_type: 'RANGE', column_name: 'amount', rule_config: { min: 0 } };
  const metric = { metric_type: 'percentile', column_name: 'amount', percentile_value: 95 };

  /** Whether the schema accepts a file with one rule and one metric. */
  function accepts(fields: { readonly rule?: object; readonly metric?: object }): boolean {
    const table = { rules: [fields.rule ?? rule], metrics: [fields.metric ?? metric] };
    return z.safeParse(z.fromJSONSchema(definitionJsonSchema()), { tables: { 'a.b.c': table } }).success;
  }

  it.each([
    { rule },
    { rule: { ...rule, severity: 'critical', is_active: false, alert_threshold_percent: 1.5 } },
    { rule: { ...rule, severity: '${how}', is_active: '${on}', alert_threshold_percent: '${share}' } },
    { rule: { ...rule, check_interval: '${often}', rule_config: { min: '${least}', max: 3 } } },
    { metric: { ...metric, percentile_value: '${share}', sensitivity: '${much}' } },
    { rule: { ...rule, name: 'from ${least}', column_name: '${column}' } },
  ])('accepts %j', (fields) => {
    expect(accepts(fields)).toBe(true);
  });

  it.each([
    { rule: { ...rule, severity: 'fatal' } },
    { rule: { ...rule, severity: 'as ${how}' } },
    { rule: { ...rule, is_active: 'yes' } },
    { rule: { ...rule, is_active: '${on} ' } },
    { rule: { ...rule, rule_config: { min: 'low' } } },
    { rule: { ...rule, rule_type: '${type}' } },
    { rule: { ...rule, name: 3 } },
    { metric: { ...metric, metric_type: '${type}' } },
    { metric: { metric_type: '${type}', column_name: 'amount' } },
    { metric: { ...metric, percentile_value: '95' } },
  ])('refuses %j', (fields) => {
    expect(accepts(fields)).toBe(false);
  });

  it('allows a variable in place of what is not a text, and only there', () => {
    const [entry] = entriesOf('rules');
    const reference = { type: 'string', pattern: String.raw`^\$\{[A-Za-z_]\w*\}$` };
    const { severity, is_active, name, tags } = entry?.properties ?? {};
    expect(severity).toMatchObject({
      anyOf: [{ type: 'string', enum: ['info', 'warning', 'critical'] }, reference],
    });
    expect(is_active).toMatchObject({ anyOf: [{ type: 'boolean' }, reference] });
    expect(name).toMatchObject({ type: 'string' });
    expect(tags).toMatchObject({ type: 'array', items: { type: 'string' } });
    expect([name, tags]).not.toContainEqual(expect.objectContaining({ anyOf: expect.anything() as unknown }));
  });

  it.each(['rules', 'metrics'] as const)('has each entry of %s for one column and for several', (kind) => {
    const entries = entriesOf(kind);
    const ofOne = entries.filter(({ properties }) => 'column_name' in properties);
    const ofSeveral = entries.filter(({ properties }) => 'columns' in properties);
    expect(ofOne.length + ofSeveral.length).toBe(entries.length);
    expect(ofSeveral.map(({ required }) => required.toSorted())).toEqual(
      ofOne.map(({ required }) =>
        ['columns', ...required.filter((name) => name !== 'column_name')].toSorted(),
      ),
    );
  });

  it('refuses what an asset does not have', () => {
    const schema = z.fromJSONSchema(definitionJsonSchema());
    const withAsset = (fields: object) =>
      z.safeParse(schema, { assets: { a: { tables: {}, ...fields } } }).success;
    expect([withAsset({}), withAsset({ keep: [] }), withAsset({ colour: 'red' })]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

interface Entry {
  readonly properties: Json;
  readonly required: readonly string[];
}

function entriesOf(kind: 'rules' | 'metrics'): readonly Entry[] {
  const { properties } = definitionJsonSchema() as {
    readonly properties: {
      readonly tables: {
        readonly additionalProperties: {
          readonly properties: Readonly<
            Record<string, { readonly items: { readonly oneOf: readonly Entry[] } }>
          >;
        };
      };
    };
  };
  return properties.tables.additionalProperties.properties[kind]?.items.oneOf ?? [];
}

/** An entry of a type with everything that any type could need; what it does not take is refused. */
function issuesOf(entry: Json, kind: 'rules' | 'metrics'): string {
  try {
    parseDefinition({ tables: { 'a.b.c': { [kind]: [entry] } } });
    return '';
  } catch (error) {
    return String(error);
  }
}

test.each(ruleTypes)('a definition knows the rule type %s', (rule_type) => {
  expect(issuesOf({ rule_type }, 'rules')).not.toContain('rule_type');
});

test.each(metricTypes)('a definition knows the metric type %s', (metric_type) => {
  expect(issuesOf({ metric_type }, 'metrics')).not.toContain('metric_type');
});
