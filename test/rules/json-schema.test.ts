import { definitionJsonSchema, parseDefinition } from 'data-quality-client/rules';
import { describe, expect, it, test } from 'vitest';

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
