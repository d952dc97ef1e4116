import { InvalidRequestError } from 'data-quality-client';
import { checkDefinition, definitionJsonSchema, parseDefinition, toYaml } from 'data-quality-client/rules';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { define, table } from './fake.ts';

const yaml = (rules: string): string => `tables:
  shop.sales.orders:
    rules:
${rules}`;

describe('parseDefinition', () => {
  it('reads YAML and JSON alike', () => {
    const definition = define({ rules: [{ rule_type: 'NOT_NULL', column_name: 'id' }] });
    expect(parseDefinition(toYaml(definition))).toEqual(definition);
    expect(parseDefinition(JSON.stringify(definition))).toEqual(definition);
    expect(parseDefinition(definition)).toEqual(definition);
    expect(checkDefinition(definition)).toEqual(definition);
  });

  it.each([
    [
      '- { rule_type: NOTNULL, column_name: id }',
      /rule_type must be one of NOT_NULL, UNIQUE, .* \(line 4, column \d+\)/,
    ],
    [
      '- { rule_type: NOT_NULL, colum: id }',
      /colum is not known; did you mean "column_name" or "columns"\? \(line 4/,
    ],
    ['- { rule_type: NOT_NULL }', /rules\.0\.column_name is required \(line 4, column \d+\)/],
    [
      '- rule_type: REGEX\n  column_name: a\n  rule_config:\n    patern: x',
      /rule_config\.patern is not known; did you mean "pattern"\? \(line 7, column \d+\)/,
    ],
    [
      '- rule_type: RANGE\n  column_name: a\n  rule_config: { min: 2, max: 1 }',
      /min must not exceed max \(line 6, column \d+\)/,
    ],
    [
      '- rule_type: UNIQUE\n  column_name: a\n  severity: fatal',
      /severity must be one of info, warning, critical \(line 6, column \d+\)/,
    ],
    [
      '- { rule_type: UNIQUE, column_name: a }\n- { rule_type: UNIQUE, column_name: a }',
      /rules\.1 is under the same key as entry 0: give each rule of a column its own name \(line 5, column \d+\)/,
    ],
    [
      '- { rule_type: UNIQUE, column_name: a, name: x }\n- { rule_type: NOT_NULL, column_name: a, name: x }',
      /same key/,
    ],
    ['- { rule_type: UNIQUE, column_name: a, name: "" }', /name must not be empty \(line 4, column \d+\)/],
    ['- [', /line 4/],
    ['- { rule_type: UNIQUE, rule_type: UNIQUE }', /unique/i],
  ])('reports what is wrong with %j, with its place', (rules, message) => {
    const indented = rules.replaceAll(/^/gm, '      ');
    expect(() => parseDefinition(yaml(indented))).toThrow(InvalidRequestError);
    expect(() => parseDefinition(yaml(indented))).toThrow(message);
  });

  it('refuses two metrics of one kind, and text that is not a mapping', () => {
    const metric = { metric_type: 'percentile', column_name: 'a', percentile_value: 5 } as const;
    expect(() => parseDefinition(define({ metrics: [metric, { ...metric, sensitivity: 2 }] }))).toThrow(
      /same key/,
    );
    expect(() =>
      parseDefinition(define({ metrics: [metric, { ...metric, percentile_value: 6 }] })),
    ).not.toThrow();
    for (const text of ['', '3', 'tables: []', '- a', 'a: &a [*a]']) {
      expect(() => parseDefinition(text)).toThrow(InvalidRequestError);
    }
  });

  it('distinguishes rules of a column by their types, and metrics by column, type and groups', () => {
    const metric = { metric_type: 'avg_value', column_name: 'a' } as const;
    const definition = define({
      rules: [
        { rule_type: 'UNIQUE', column_name: 'id' },
        { rule_type: 'NOT_NULL', column_name: 'id' },
        { rule_type: 'NOT_NULL', column_name: 'id', name: 'NOT_NULL' },
      ],
      metrics: [
        metric,
        { ...metric, column_name: 'b' },
        { ...metric, metric_type: 'max_value' },
        { ...metric, group_by_columns: ['x', 'y'] },
        { metric_type: 'row_count' },
      ],
    });
    expect(parseDefinition(definition)).toEqual(definition);
    const reordered = { ...metric, group_by_columns: ['y', 'x'] };
    expect(() =>
      parseDefinition(define({ metrics: [...(definition.tables[table]?.metrics ?? []), reordered] })),
    ).toThrow('metrics.5 is under the same key as entry 3: one metric of its kind is enough');
  });

  it('refuses a YAML bomb', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
      .split('')
      .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join()}]`)
      .join('\n')}`;
    expect(() => parseDefinition(bomb)).toThrow(InvalidRequestError);
  });
});

const messageOf = (text: string, source?: string): string => {
  try {
    parseDefinition(text, { source });
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
};

describe('the message of a definition that is not valid', () => {
  it('names the file, and has each mistake in its own line, with its place and what was meant', () => {
    const text = `tables:
  shop.sales.orders:
    rules:
      - rule_type: REGX
        column_name: id
      - rule_type: REGEX
        column_name: id
        rule_config:
          patern:
            x
    metric:
      - metric_type: row_count
`;
    expect(messageOf(text, 'rules/orders.yaml').split('\n')).toEqual([
      'rules/orders.yaml:',
      expect.stringMatching(
        /^ {2}tables\.shop\.sales\.orders\.rules\.0\.rule_type must be one of .*; did you mean "REGEX"\? \(line 4, column 20\)$/,
      ),
      expect.stringMatching(/rules\.1\.rule_config\.pattern/),
      expect.stringMatching(
        /rule_config\.patern is not known; did you mean "pattern"\? \(line 9, column 11\)$/,
      ),
      '  tables.shop.sales.orders.metric is not known; did you mean "metrics"? (line 11, column 5)',
    ]);
  });

  it('suggests only what the type of the entry has, and nothing for a word like no other', () => {
    const text = yaml('      - { rule_type: NOT_NULL, column_name: id, rule_config: { patern: x } }');
    expect(messageOf(text)).not.toContain('did you mean');
    expect(messageOf('tables: {}\ncolour: x')).toBe('the definition: colour is not known (line 2, column 1)');
  });

  it.each([
    ['{"tables": {"a.b.c": {"rules": [}}}', undefined],
    ['{"tables": {"a.b.c": {"rules": [}}}', 'rules.json'],
    ['"tables": [', 'rules.json'],
    ['{"tables": {"a.b.c": }}', 'rules.json'],
    ['tables: {}', 'rules.JSON'],
  ])('reports broken JSON as JSON: %s in %s', (text, source) => {
    const message = messageOf(text, source);
    expect(message).toContain(`${source ?? 'the definition'}: is not valid JSON: `);
    expect(message).not.toMatch(/YAML|block|flow/i);
  });

  it('quotes broken JSON without its line breaks and indentation', () => {
    const message = messageOf('{\n  "tables": {\n    "a.b.c": [}\n  }\n}', 'rules.json');
    expect(message.split('\n')).toHaveLength(1);
    expect(message).not.toMatch(/\s\s/);
  });

  it('reports broken JSON as JSON after a line break, and what only ends like it as YAML', () => {
    expect(messageOf('\n {"tables": {')).toContain('the definition: is not valid JSON: ');
    expect(messageOf('tables: {}', 'rules.json.yaml')).toBe('no error');
  });

  it('accepts JSON with a byte order mark', () => {
    expect(messageOf('\u{feff}{"tables": {}}', 'rules.json')).toBe('no error');
  });

  it('names an alias that contains itself', () => {
    expect(messageOf('a: &a [*a]')).toBe('the definition: has an alias that contains itself');
  });

  it('has the start of the text as the place of what is missing', () => {
    expect(messageOf('# rules\n\nkeep: []\n')).toBe('the definition: tables is required (line 1, column 1)');
  });

  it('has each mistake of an object in its own line too', () => {
    expect(() => checkDefinition({ colour: 'red' })).toThrow(
      'the definition:\n  tables is required\n  colour is not known',
    );
  });

  it('reports broken YAML as YAML, with the place', () => {
    expect(messageOf('tables:\n  - [', 'rules.yaml')).toMatch(/^rules\.yaml: is not valid YAML: .*line 2/);
  });
});

describe('toYaml', () => {
  it('names its JSON Schema in the first line', () => {
    expect(toYaml(define({}))).toMatch(
      /^# yaml-language-server: \$schema=\.\/node_modules\/data-quality-client\/dist\/rules\.schema\.json\n/,
    );
    expect(toYaml(define({}), { schema: './dq.json' })).toMatch(/\$schema=\.\/dq\.json\n/);
  });

  it('writes what occurs twice twice, without an alias', () => {
    const rule = { rule_type: 'RANGE', column_name: 'a', name: 'x', rule_config: { min: 0 } } as const;
    const written = toYaml(define({ rules: [rule, { ...rule, name: 'y' }] }));
    expect(written.match(/min: 0/g)).toHaveLength(2);
  });

  it('keeps text that looks like something else', () => {
    const values = ['no', '1', '2024-01-01', 'null', '~', '# a', 'a: b', '', ' x', 'é\n'];
    const rule = { rule_type: 'ENUM', column_name: '1', rule_config: { allowed_values: values } } as const;
    expect(parseDefinition(toYaml(define({ rules: [rule] })))).toEqual(define({ rules: [rule] }));
  });
});

describe('definitionJsonSchema', () => {
  const schema = z.fromJSONSchema(definitionJsonSchema());

  it('accepts what parseDefinition accepts', () => {
    const definition = define({
      rules: [{ rule_type: 'REGEX', column_name: 'email', rule_config: { pattern: '@' }, is_active: false }],
      metrics: [{ metric_type: 'percentile', column_name: 'amount', percentile_value: 95 }],
    });
    expect(z.safeParse(schema, definition).success).toBe(true);
  });

  it.each([
    { rule_type: 'REGEX', column_name: 'email' },
    { rule_type: 'NOT_NULL' },
    { rule_type: 'NOT_NULL', column_name: 'id', colour: 'red' },
    { rule_type: 'NOT_NULL', column_name: 'id', severity: 'fatal' },
  ])('refuses %j as parseDefinition does', (rule) => {
    const definition = { tables: { 'a.b.c': { rules: [rule] } } };
    expect(z.safeParse(schema, definition).success).toBe(false);
    expect(() => parseDefinition(definition)).toThrow(InvalidRequestError);
  });

  it('describes every field, for editors', () => {
    const bare: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === 'properties') {
          for (const [name, property] of Object.entries(value as Record<string, object>)) {
            if (!('description' in property)) bare.push(`${path}.${name}`);
          }
        }
        visit(value, `${path}.${key}`);
      }
    };
    visit(definitionJsonSchema(), '');
    expect(bare).toEqual([]);
  });
});
