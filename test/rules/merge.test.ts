import { type Definition, mergeDefinitions } from 'data-quality-client/rules';
import { describe, expect, it } from 'vitest';

import { messageOf } from './message-of.ts';

const merge = (...definitions: readonly Definition[]) =>
  mergeDefinitions(definitions.map((definition, at) => ({ source: 'abc'.charAt(at), definition })));

const unique = { rule_type: 'UNIQUE', column_name: 'id' } as const;
const rowCount = { metric_type: 'row_count' } as const;

describe('mergeDefinitions', () => {
  it('is one definition of no parts, and a single part as it is', () => {
    const definition: Definition = { tables: { 'a.b.c': { rules: [] } } };
    expect(mergeDefinitions([])).toStrictEqual({ tables: {} });
    expect(merge(definition)).toBe(definition);
  });

  it('joins what several parts say about the same table', () => {
    expect(
      merge(
        { tables: { 'a.b.c': { freshness: { max_age: '1h' } }, 'a.b.d': {} } },
        { tables: { 'a.b.c': { rules: [unique] } } },
        { keep: [{ id: 'v_1' }], tables: { 'a.b.c': { metrics: [rowCount] } } },
      ),
    ).toStrictEqual({
      keep: [{ id: 'v_1' }],
      tables: {
        'a.b.c': { freshness: { max_age: '1h' }, rules: [unique], metrics: [rowCount] },
        'a.b.d': {},
      },
    });
  });

  it('takes the freshness of the asset from the part that has it', () => {
    const freshness = { max_age: '1h' };
    expect(merge({ tables: {} }, { freshness, tables: {} })).toStrictEqual({ freshness, tables: {} });
  });

  it('takes the same rule of two tables, or of two names, for two rules', () => {
    const first = { 'a.b.c': { rules: [unique] } };
    expect(merge({ tables: first }, { tables: { 'a.b.d': { rules: [unique] } } })).toStrictEqual({
      tables: { ...first, 'a.b.d': { rules: [unique] } },
    });
    const named = { ...unique, name: 'keys' };
    expect(merge({ tables: first }, { tables: { 'a.b.c': { rules: [named] } } })).toStrictEqual({
      tables: { 'a.b.c': { rules: [unique, named] } },
    });
  });

  it('refuses what two parts describe, and names each with the parts it is in', () => {
    const tables: Definition['tables'] = {
      'a.b.c': {
        rules: [
          { ...unique, name: 'keys' },
          { rule_type: 'CUSTOM_SQL', rule_config: { sql_expression: 'a < b' } },
        ],
        metrics: [rowCount, { metric_type: 'avg_value', column_name: 'total' }],
      },
    };
    expect(messageOf(() => merge({ tables }, { tables: {} }, { tables })).split('\n')).toEqual([
      'the definitions:',
      '  a.b.c.id.keys is in a and in c',
      '  a.b.c.CUSTOM_SQL is in a and in c',
      '  a.b.c.row_count is in a and in c',
      '  a.b.c.total.avg_value is in a and in c',
    ]);
  });
});
