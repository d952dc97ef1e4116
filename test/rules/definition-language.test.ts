import {
  type Definition,
  definitionJsonSchema,
  type DefinitionPart,
  mergeDefinitions,
  parseDefinition,
  parseDefinitions,
  toYaml,
} from 'data-quality-client/rules';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

import { messageOf } from './message-of.ts';

const text = `variables:
  database: dev
  limit: 100
  label: small
environments:
  prod:
    database: shop
    limit: 5000
defaults:
  severity: critical
  check_interval: hourly
  sensitivity: 2
tables:
  \${database}.sales.orders:
    defaults:
      severity: info
      capture_interval: weekly
    rules:
      - rule_type: NOT_NULL
        columns: [id, customer_id]
      - rule_type: RANGE
        column_name: amount
        name: \${label} amounts
        severity: warning
        rule_config: { max: "\${limit}" }
      - rule_type: REGEX
        column_name: code
        rule_config: { pattern: '^$\${limit}a{2}$' }
    metrics:
      - metric_type: row_count
  \${database}.sales.customers:
    rules:
      - rule_type: UNIQUE
        column_name: id
        check_interval: daily
`;

describe('the language of a definition', () => {
  it('fills in variables and defaults, those of a table before those of the file, and makes a rule of each column', () => {
    const shared = { severity: 'info', check_interval: 'hourly' } as const;
    const expected: Definition = {
      tables: {
        'dev.sales.orders': {
          rules: [
            { ...shared, rule_type: 'NOT_NULL', column_name: 'id' },
            { ...shared, rule_type: 'NOT_NULL', column_name: 'customer_id' },
            {
              ...shared,
              rule_type: 'RANGE',
              column_name: 'amount',
              name: 'small amounts',
              severity: 'warning',
              rule_config: { max: 100 },
            },
            {
              ...shared,
              rule_type: 'REGEX',
              column_name: 'code',
              rule_config: { pattern: '^${limit}a{2}$' },
            },
          ],
          metrics: [{ metric_type: 'row_count', sensitivity: 2, capture_interval: 'weekly' }],
        },
        'dev.sales.customers': {
          rules: [{ rule_type: 'UNIQUE', column_name: 'id', severity: 'critical', check_interval: 'daily' }],
        },
      },
    };
    expect(parseDefinition(text)).toStrictEqual(expected);
  });

  it.each([
    ['on', 'true', true],
    ['on', 'false', false],
    ['least', '-1.5', -1.5],
    ['least', ' 2 ', 2],
    ['letter', '3', '3'],
  ])('takes the given %s=%s as a value of the same kind', (name, given, value) => {
    const kinds = `variables: { on: true, least: 0, letter: a }
tables:
  a.b.c:
    rules:
      - rule_type: ENUM
        column_name: x
        rule_config: { allowed_values: ["\${${name}}", null, 1] }
`;
    const { tables } = parseDefinition(kinds, { variables: { [name]: given } });
    expect(tables['a.b.c']?.rules).toMatchObject([{ rule_config: { allowed_values: [value, null, 1] } }]);
  });

  it.each([
    ['on', 'yes', 'is a boolean here, and "yes" is not (line 1, column 18)'],
    ['least', '', 'is a number here, and "" is not (line 1, column 31)'],
    ['least', ' ', 'is a number here, and " " is not (line 1, column 31)'],
    ['least', 'Infinity', 'is a number here, and "Infinity" is not (line 1, column 31)'],
  ])('refuses the given %s=%j', (name, given, message) => {
    const kinds = 'variables: { on: true, least: 0 }\ntables: {}\n';
    expect(messageOf(() => parseDefinition(kinds, { variables: { [name]: given } }))).toBe(
      `the definition: variables.${name} ${message}`,
    );
  });

  it.each([
    [
      'variables: { 1st: x }',
      /variables\.1st.* must be letters, digits and _, and not begin with a digit \(line 1, column 19\)$/,
    ],
    ['variables: { list: [1] }', /variables\.list is not valid \(line 1, column 20\)$/],
    ['variables: 3', /variables: expected object, got number \(line 1, column 12\)$/],
    ['environments: { prod: 3 }', /environments\.prod: expected object, got number \(line 1, column 23\)$/],
  ])('refuses %s', (head, message) => {
    expect(messageOf(() => parseDefinition(`${head}\ntables: {}\n`))).toMatch(message);
  });

  it.each([
    ['tables: { "": {} }', 'tables. must not be empty (line 1, column 15)'],
    [
      'tables: { a.b.c: { rules: [null] } }',
      'tables.a.b.c.rules.0: expected object, got null (line 1, column 28)',
    ],
    ['tables: { a.b.c: { rules: 3 } }', 'tables.a.b.c.rules: expected array, got number (line 1, column 27)'],
  ])('refuses the text %s', (definition, message) => {
    expect(messageOf(() => parseDefinition(definition))).toBe(`the definition: ${message}`);
  });

  it('says that there are no variables if a text has none', () => {
    expect(messageOf(() => parseDefinition('tables: { "${shop}.a.b": {} }'))).toMatch(
      /has the unknown variable \$\{shop\}: there are none; write \$\$\{shop\} for the text itself/,
    );
    expect(messageOf(() => parseDefinition('tables: {}', { variables: { shop: 'x' } }))).toBe(
      'variable: shop is not known; there are none',
    );
  });

  it('takes the values of the environment, and before them the values that are given', () => {
    const options = { environment: 'prod', variables: { limit: '7', label: '1' } };
    const { tables } = parseDefinition(text, options);
    expect(Object.keys(tables)).toEqual(['shop.sales.orders', 'shop.sales.customers']);
    expect(tables['shop.sales.orders']?.rules?.[2]).toMatchObject({
      name: '1 amounts',
      rule_config: { max: 7 },
    });
  });

  it.each([
    [{ variables: { limt: '1' } }, 'variable: limt is not known; known are database, limit, label'],
    [{ environment: 'test' }, 'environment: test is not known; known are prod'],
    [
      { variables: { limit: 'many' } },
      'a.yaml: variables.limit is a number here, and "many" is not (line 3, column 10)',
    ],
  ])('refuses %j', (options, message) => {
    expect(messageOf(() => parseDefinition(text, { source: 'a.yaml', ...options }))).toBe(message);
  });

  it('lists the known variables for one that is unknown, and reports it in its place', () => {
    expect(messageOf(() => parseDefinition(text.replace('{label}', '{lable}')))).toMatch(
      /rules\.1\.name has the unknown variable \$\{lable\}: known are database, limit, label.* \(line 23, column 15\)$/,
    );
  });

  it.each([
    ['severity: critical', 'severity: fatal', /defaults\.severity must be one of .* \(line 10, column 13\)/],
    [
      'sensitivity: 2',
      'sensitivty: 2',
      /defaults\.sensitivty is not known; did you mean "sensitivity"\? \(line 12/,
    ],
    ['[id, customer_id]', '[]', /rules\.0\.columns must be a list of one column or more \(line 20/],
    ['[id, customer_id]', '[id, ""]', /rules\.0\.columns\.1 must not be empty \(line 20, column 23\)/],
    [
      'columns: [id, customer_id]',
      'columns: [id, customer_id]\n        severity: fatal',
      /rules\.0\.severity must be one of .* \(line 21, column 19\)/,
    ],
    ['columns: [id', 'colums: [id', /rules\.0\.colums is not known; did you mean "columns"\? \(line 20/],
    ['column_name: code', 'column_name: code\n        columns: [a]', /rules\.2\.columns cannot stand beside/],
    [
      '{ max: "${limit}" }',
      '{ max: "${label}" }',
      /rules\.1\.rule_config\.max: expected number, got string \(line 25/,
    ],
    [
      '${database}.sales.customers',
      'dev.sales.orders',
      /tables\.dev\.sales\.orders is the same table as \$\{database\}\.sales\.orders/,
    ],
  ])('reports %j changed to %j where it is written', (from, to, message) => {
    expect(text).toContain(from);
    expect(messageOf(() => parseDefinition(text.replace(from, to)))).toMatch(message);
  });

  it('says where to write what stands beside defaults, not below it', () => {
    const owned = 'owner: ann\ntables:\n  a.b.c:\n    tags: [x]\n    rules: []\n';
    expect(messageOf(() => parseDefinition(owned)).split('\n')).toEqual([
      'the definition:',
      '  owner is not known here; write it below defaults (line 1, column 1)',
      '  tables.a.b.c.tags is not known here; write it below defaults (line 4, column 5)',
    ]);
  });

  it('lists each name that is not known in a line of its own', () => {
    const variables = { limt: '1', lable: 'x' };
    expect(messageOf(() => parseDefinition(text, { variables })).split('\n')).toEqual([
      'variable:',
      '  limt is not known; known are database, limit, label',
      '  lable is not known; known are database, limit, label',
    ]);
  });

  it('reports two mistakes of one line in the order of their columns', () => {
    const line = 'tables: { a.b.c: { rules: [{ column_name: "", rule_type: UNIQUE, severity: fatal }] } }';
    expect(messageOf(() => parseDefinition(line)).split('\n')).toEqual([
      'the definition:',
      expect.stringMatching(/rules\.0\.column_name must not be empty \(line 1, column 43\)$/),
      expect.stringMatching(/rules\.0\.severity must be one of .* \(line 1, column 76\)$/),
    ]);
  });

  it('reports an unknown variable together with every other mistake, in the order of the text', () => {
    const broken = `tables:
  a.b.c:
    rules:
      - { column_name: id, rule_type: NOTNULL }
      - { column_name: id, rule_type: RANGE, rule_config: { min: "\${low}" } }
      - { column_name: id, rule_type: UNIQUE, severty: info }
`;
    expect(messageOf(() => parseDefinition(broken)).split('\n')).toEqual([
      'the definition:',
      expect.stringMatching(/rules\.0\.rule_type must be one of .*; did you mean "NOT_NULL"\? \(line 4/),
      expect.stringMatching(/rules\.1\.rule_config\.min has the unknown variable \$\{low\}: .* \(line 5/),
      expect.stringMatching(/rules\.2\.severty is not known; did you mean "severity"\? \(line 6/),
    ]);
  });

  it('reads back what toYaml wrote, with what looks like a variable', () => {
    const pattern = '^${name} $${name} ${1} ${ a{2}$';
    const definition: Definition = {
      tables: {
        '${shop}.a.b': {
          rules: [
            { rule_type: 'REGEX', column_name: '${c}', rule_config: { pattern } },
            { rule_type: 'ENUM', column_name: 'c', rule_config: { allowed_values: [null, 1.5, true] } },
          ],
        },
      },
      keep: [{ id: 'v_1', reason: 'has ${x}' }],
    };
    expect(parseDefinition(toYaml(definition))).toEqual(definition);
    expect(parseDefinition(definition)).toEqual(definition);
  });

  it('is known to the JSON Schema', () => {
    const schema = z.fromJSONSchema(definitionJsonSchema());
    expect(z.safeParse(schema, parse(text)).error).toBeUndefined();
    const both = parse(text.replace('[id, customer_id]', '3')) as unknown;
    expect(z.safeParse(schema, both).success).toBe(false);
    const interval = parse(text.replace('weekly', 'yearly')) as unknown;
    expect(z.safeParse(schema, interval).success).toBe(false);
    const metric = { metric_type: 'avg_value', column_name: 'a', capture_interval: 'yearly' };
    expect(z.safeParse(schema, { tables: { a: { metrics: [metric] } } }).success).toBe(false);
  });
});

const part = (id: string): DefinitionPart => ({ source: id, definition: { keep: [{ id }], tables: {} } });

const file = (column: string): string =>
  `variables: { database: shop }\ntables: { "\${database}.a.b": { rules: [{ rule_type: UNIQUE, column_name: ${column} }] } }`;

describe('several files', () => {
  it('are one definition, each with its own variables', () => {
    const texts = [
      { source: 'a.yaml', text: file('id') },
      { source: 'b.yaml', text: 'tables: { shop.a.b: { metrics: [{ metric_type: row_count }] } }' },
    ];
    expect(parseDefinitions(texts, { variables: { database: 'shop' } })).toEqual([
      {
        asset: null,
        definition: {
          tables: {
            'shop.a.b': {
              rules: [{ rule_type: 'UNIQUE', column_name: 'id' }],
              metrics: [{ metric_type: 'row_count' }],
            },
          },
        },
      },
    ]);
  });

  it('may not describe the same rule: the error names both', () => {
    const texts = ['a.yaml', 'b.yaml'].map((source) => ({ source, text: file('id') }));
    expect(messageOf(() => parseDefinitions(texts))).toBe(
      'the definitions: shop.a.b.id.UNIQUE is in a.yaml and in b.yaml',
    );
  });

  it('are refused together, with what is wrong with each', () => {
    const broken = [
      { source: 'a.yaml', text: file('""') },
      { source: 'b.yaml', text: file('id') },
      { source: 'c.yaml', text: 'tables: [' },
      { source: 'd.yaml', text: 'tabels: {}' },
    ];
    const message = messageOf(() => parseDefinitions(broken, { variables: { database: 'lake' } }));
    expect(message.split('\n')).toEqual([
      '3 definitions are not valid:',
      expect.stringMatching(/^ {2}a\.yaml: tables\.\$\{database\}.*column_name must not be empty \(line 2/),
      expect.stringMatching(/^ {2}c\.yaml: is not valid YAML: .* at line 1, column 10:$/),
      '',
      'tables: [',
      '         ^',
      '  d.yaml: tables is required (line 1, column 1)',
      '  d.yaml: tabels is not known; did you mean "tables"? (line 1, column 1)',
    ]);
  });

  it('are not held to declare a variable if one of them cannot be read', () => {
    const texts = [{ source: 'a.yaml', text: 'variables: { limit: 1 }\ntables: [' }];
    expect(messageOf(() => parseDefinitions(texts, { variables: { limit: '2' } }))).toMatch(
      /^a\.yaml: is not valid YAML/,
    );
  });

  it('keep what each of them keeps', () => {
    expect(mergeDefinitions([part('v_1'), part('v_2')])).toEqual({
      keep: [{ id: 'v_1' }, { id: 'v_2' }],
      tables: {},
    });
  });
});
