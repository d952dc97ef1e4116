import {
  type Definition,
  definitionJsonSchema,
  labelsOf,
  mergeDefinitions,
  parseDefinition,
  parseDefinitions,
} from 'data-quality-client/rules';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

import { messageOf } from './message-of.ts';

const text = `variables: { shop: asset-1, age: 24h, secret: s3cret }
environments:
  production: { shop: asset-9 }
defaults: { owner: data-team, severity: critical }
destinations:
  - { name: ops, url: https://hooks.example.com/dq, secret: "\${secret}" }
assets:
  \${shop}:
    freshness: { max_age: "\${age}" }
    keep: [{ id: v_1 }]
    tables:
      shop.sales.orders:
        freshness: { max_age: 90m, timestamp_column: updated_at }
        rules:
          - { rule_type: UNIQUE, column_name: id, tags: [nightly, pii] }
        metrics:
          - { metric_type: row_count, owner: ops }
  asset-2:
    defaults: { tags: [lake] }
    tables:
      lake.raw.events:
        rules:
          - { rule_type: NOT_NULL, columns: [id, at] }
`;

const read = (source: string, options = {}) =>
  parseDefinitions([{ source: 'a.yaml', text: source }], options);

const destinations = [{ name: 'ops', url: 'https://hooks.example.com/dq', secret: 's3cret' }];

describe('a text that names its assets', () => {
  it('is a definition of each, with the defaults of the file and of the asset, and the same destinations', () => {
    const shared = { severity: 'critical', owner: 'data-team' };
    expect(read(text)).toEqual([
      {
        asset: 'asset-1',
        definition: {
          destinations,
          freshness: { max_age: '24h' },
          keep: [{ id: 'v_1' }],
          tables: {
            'shop.sales.orders': {
              freshness: { max_age: '90m', timestamp_column: 'updated_at' },
              rules: [{ ...shared, rule_type: 'UNIQUE', column_name: 'id', tags: ['nightly', 'pii'] }],
              metrics: [{ metric_type: 'row_count', owner: 'ops' }],
            },
          },
        },
      },
      {
        asset: 'asset-2',
        definition: {
          destinations,
          tables: {
            'lake.raw.events': {
              rules: [
                { ...shared, rule_type: 'NOT_NULL', column_name: 'id', tags: ['lake'] },
                { ...shared, rule_type: 'NOT_NULL', column_name: 'at', tags: ['lake'] },
              ],
            },
          },
        },
      },
    ]);
  });

  it('takes the id of an asset from the environment, and joins what two files say about it', () => {
    const other = {
      source: 'b.yaml',
      text: 'assets: { asset-9: { tables: { a.b.c: { metrics: [{ metric_type: row_count }] } } } }',
    };
    const options = { environment: 'production' };
    const definitions = parseDefinitions([{ source: 'a.yaml', text }, other], options);
    expect(definitions.map(({ asset }) => asset)).toEqual(['asset-9', 'asset-2']);
    expect(Object.keys(definitions[0]?.definition.tables ?? {})).toEqual(['shop.sales.orders', 'a.b.c']);
  });

  it('is refused by what reads one definition, even if it has one asset', () => {
    expect(messageOf(() => parseDefinition('assets: { a: { tables: {} } }'))).toContain(
      'parseDefinitions reads a text that names its assets',
    );
    expect(messageOf(() => parseDefinition(text))).toContain(
      'parseDefinitions reads a text that names its assets',
    );
  });

  it('does not mix with a text that names none', () => {
    const files = [
      { source: 'a.yaml', text },
      { source: 'b.yaml', text: 'tables: {}' },
    ];
    expect(messageOf(() => parseDefinitions(files))).toMatch(
      /^b\.yaml: tables: a\.yaml names its assets: write the tables of b\.yaml below one/,
    );
  });

  it.each([
    [
      '    freshness: { max_age: "${age}" }',
      '    freshness: { max_age: soon }',
      /assets\.\$\{shop\}\.freshness\.max_age must look like 90m, 24h or 2d \(line 9, column 27\)/,
    ],
    ['max_age: 90m', 'max_age: 0h', /orders\.freshness\.max_age must be more than 0 \(line 13/],
    ['max_age: 90m', 'max_ages: 90m', /max_ages is not known; did you mean "max_age"\? \(line 13/],
    ['timestamp_column', 'timestamp_colum', /did you mean "timestamp_column"\? \(line 13/],
    [
      'tags: [lake]',
      'tag: [lake]',
      /assets\.asset-2\.defaults\.tag is not known; did you mean "tags"\? \(line 19/,
    ],
    ['owner: ops', 'ower: ops', /metrics\.0\.ower is not known; did you mean "owner"\? \(line 17/],
    ['url: https', 'uri: https', /destinations\.0\.uri is not known; did you mean "url"\? \(line 6/],
    [
      'assets:\n',
      'keep: []\nassets:\n',
      /keep cannot stand beside assets: write it below one of them \(line 7/,
    ],
    ['assets:\n', 'tables: {}\nassets:\n', /tables cannot stand beside assets/],
    ['assets:\n', 'assetts: {}\nassets:\n', /assetts is not known; did you mean "assets"\? \(line 7/],
    [
      '  asset-2:\n',
      '  asset-2:\n    destinations: []\n',
      /destinations is not of one asset: write it above the assets \(line 19/,
    ],
    ['rule_type: UNIQUE', 'rule_type: UNIQ', /assets\.\$\{shop\}\.tables.*did you mean "UNIQUE"\? \(line 15/],
    ['[nightly, pii]', 'nightly', /tags: expected array, got string \(line 15/],
  ])('with %j changed to %j is refused where that is written', (from, to, message) => {
    expect(text).toContain(from);
    expect(messageOf(() => read(text.replace(from, to)))).toMatch(message);
  });

  it('must have assets that are objects', () => {
    expect(messageOf(() => read('assets: { a: 3 }'))).toBe(
      'a.yaml: assets.a: expected object, got number (line 1, column 14)',
    );
  });

  it('must have an asset', () => {
    expect(messageOf(() => read('assets: {}'))).toMatch(
      /assets must have one asset or more, by their ids \(line 1/,
    );
  });

  it('is known to the JSON Schema', () => {
    const schema = z.fromJSONSchema(definitionJsonSchema());
    const valid = (source: string) => z.safeParse(schema, parse(source)).success;
    expect(z.safeParse(schema, parse(text)).error).toBeUndefined();
    expect(valid(text.replace('owner: ops', 'ower: ops'))).toBe(false);
    expect(valid(text.replace('url: https', 'uri: https'))).toBe(false);
    expect(valid('tables: {}\nassets: { a: { tables: {} } }')).toBe(false);
    expect(valid('variables: {}')).toBe(false);
  });
});

describe('mergeDefinitions', () => {
  it('joins destinations, and refuses a freshness that two definitions have', () => {
    const one = (source: string) => ({
      source,
      definition: {
        destinations,
        freshness: { max_age: '1h' },
        tables: { 'a.b.c': { freshness: { max_age: '1h' } } },
      },
    });
    const rest = { source: 'b', definition: { destinations, tables: {} } };
    expect(mergeDefinitions([one('a'), rest])).toEqual({
      ...one('a').definition,
      destinations: [...destinations, ...destinations],
    });
    expect(messageOf(() => mergeDefinitions([one('a'), one('b')]))).toBe(
      'the definitions:\n  freshness is in a and in b\n  a.b.c.freshness is in a and in b',
    );
  });
});

describe('labelsOf', () => {
  it.each([
    [
      { owner: 'ann', tags: ['x'] },
      { owner: 'ann', tags: ['x', 'y'] },
      { owner: 'ann', tags: ['x'] },
    ],
    [{ owner: 'ann', tags: ['x'] }, { owner: 'bob' }, { tags: [] }],
    [{ owner: 'ann' }, { tags: ['x'] }, {}],
    [{}, {}, {}],
  ])('returns what metrics labelled %j and %j have in common', (one, other, expected) => {
    const metric = { metric_type: 'percentile', column_name: 'n' } as const;
    const labels = labelsOf({
      tables: {
        'a.b.c': {
          metrics: [
            { ...metric, percentile_value: 5, ...one },
            { ...metric, percentile_value: 95, ...other },
          ],
        },
      },
    });
    expect(labels({ table_path: 'a.b.c', ...metric })).toStrictEqual(expected);
  });

  const table = 'a.b.c';
  const definition: Definition = {
    tables: {
      [table]: {
        rules: [
          { rule_type: 'UNIQUE', column_name: 'id', owner: 'ann' },
          { rule_type: 'UNIQUE', column_name: 'id', name: 'keys', tags: ['x'] },
        ],
        metrics: [
          {
            metric_type: 'percentile',
            column_name: 'n',
            percentile_value: 5,
            owner: 'bob',
            tags: ['x', 'y'],
          },
          { metric_type: 'percentile', column_name: 'n', percentile_value: 95, owner: 'eve', tags: ['y'] },
        ],
      },
    },
  };

  it.each([
    [{ column_name: 'id', rule_type: 'UNIQUE', name: 'keys' }, { tags: ['x'] }],
    [{ column_name: 'id', rule_type: 'UNIQUE', name: null }, { owner: 'ann' }],
    [{ column_name: 'id', rule_type: 'UNIQUE', name: 'named by the service' }, { owner: 'ann' }],
    [{ column_name: 'id', rule_type: 'NOT_NULL' }, {}],
    [{ column_name: 'n', metric_type: 'percentile' }, { tags: ['y'] }],
    [{ column_name: null, metric_type: 'row_count' }, {}],
  ])('returns what the definition says about %j', (item, expected) => {
    const labels = labelsOf(definition);
    expect(labels({ table_path: table, ...item })).toStrictEqual(expected);
    expect(labels({ table_path: 'a.b.other', ...item })).toEqual({});
  });
});
