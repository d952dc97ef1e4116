import { expect, test } from 'vitest';

import { checkDefinition, parseDefinition } from 'data-quality-client/rules';

function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing is wrong';
}

function inTable(table: object): object {
  return { tables: { 'shop.sales.orders': table } };
}

const range = { rule_type: 'RANGE', column_name: 'total', rule_config: { min: 0 } };
const percentile = { metric_type: 'percentile', column_name: 'total', percentile_value: 95 };

test.each<[string, object, string]>([
  ['the definition', { keeps: [], tables: {} }, 'keep'],
  ['an entry to keep', { keep: [{ id: 'v_1', reasn: 'old' }], tables: {} }, 'reason'],
  ['the freshness of an asset', { freshness: { max_ag: '24h' }, tables: {} }, 'max_age'],
  ['a destination', { destinations: [{ url: 'https://a.test', secrt: 's' }], tables: {} }, 'secret'],
  ['a table', inTable({ metric: [] }), 'metrics'],
  [
    'the freshness of a table',
    inTable({ freshness: { max_age: '1d', timestamp_colum: 'at' } }),
    'timestamp_column',
  ],
  ['a rule', inTable({ rules: [{ ...range, sevrity: 'info' }] }), 'severity'],
  [
    'the configuration of a rule',
    inTable({ rules: [{ ...range, rule_config: { min: 0, maxx: 1 } }] }),
    'max',
  ],
  ['a metric', inTable({ metrics: [{ ...percentile, percentile_valu: 9 }] }), 'percentile_value'],
])('suggests a field that is known in %s', (_, definition, field) => {
  expect(messageOf(() => checkDefinition(definition))).toContain(`is not known; did you mean "${field}"?`);
});

test('suggests only what the type of a rule allows', () => {
  const config = { patterns: '^a', min: 0 };
  const message = messageOf(() => checkDefinition(inTable({ rules: [{ ...range, rule_config: config }] })));
  expect(message).toContain('rule_config.patterns is not known');
  expect(message).not.toContain('did you mean');
});

test.each([
  ['the text', 'variable: {}\ntables: {}', 'variables'],
  ['the text', 'enviroments: {}\nassets: { a: { tables: {} } }', 'environments'],
  ['the defaults of a file', 'defaults: { ownr: ops }\ntables: {}', 'owner'],
  ['the defaults of a table', 'tables: { a.b.c: { defaults: { severty: info } } }', 'severity'],
  ['an asset', 'assets: { a: { defalts: {}, tables: {} } }', 'defaults'],
  ['a table of an asset', 'assets: { a: { tables: { a.b.c: { ruls: [] } } } }', 'rules'],
])('suggests a field that only shortens a text in %s', (_, text, field) => {
  expect(messageOf(() => parseDefinition(text))).toContain(`is not known; did you mean "${field}"?`);
});
