import { importDbt } from 'data-quality-client/rules';
import { describe, expect, it } from 'vitest';

import { manifest, orders, ruleOf, withNodes } from './dbt.ts';

/** Of the rule that a test of a model becomes. */
function labelsOf(test: object, model: object, groups: object | null = null): object {
  const source = withNodes(manifest('not_null', {}, test), { 'model.shop.orders': { ...orders, ...model } });
  const { owner, tags } = ruleOf({ ...source, groups }) as { owner?: unknown; tags?: unknown };
  return { owner, tags };
}

describe('a rule made of a test of dbt', () => {
  it.each([
    ['its own meta', { config: { meta: { owner: 'ann' } }, tags: ['nightly'] }, {}, 'ann', ['nightly']],
    [
      'the meta of the model',
      { tags: 'pii' },
      { meta: { owner: { email: 'a@b.c' } }, tags: ['lake', 'pii'] },
      'a@b.c',
      ['pii', 'lake'],
    ],
    ['the group of the model', {}, { config: { group: 'finance' } }, 'Finance', undefined],
  ])(
    'takes the owner from %s, and the tags of the test and of the model',
    (_from, test, model, owner, tags) => {
      const source = manifest('not_null', {}, test) as { nodes: Record<string, unknown>; groups?: unknown };
      source.nodes['model.shop.orders'] = { ...orders, ...model };
      source.groups = {
        'group.shop.finance': { name: 'finance', owner: { name: 'Finance', email: 'f@b.c' } },
      };
      const [rule] = importDbt(source).definition.tables['shop.sales.orders_v2']?.rules ?? [];
      expect(rule).toMatchObject({ owner, ...(tags && { tags }) });
    },
  );

  it('leaves out the tags that old versions of dbt give to every test', () => {
    const source = { ...manifest('not_null', {}, { tags: ['schema', 'mine'] }) };
    const metadata = { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v1.json' };
    expect(ruleOf({ ...source, metadata })).toMatchObject({ tags: ['mine'] });
    expect(ruleOf(source)).toMatchObject({ tags: ['schema', 'mine'] });
  });

  it.each([
    [{ meta: { owner: 'ann' } }, { meta: { owner: 'bob' } }, 'ann'],
    [{ meta: { owner: '' } }, { meta: { owner: 'bob' } }, 'bob'],
    [{ meta: { owner: 3 } }, {}, undefined],
    [{ meta: { owner: null } }, {}, undefined],
    [{ meta: { owner: { name: '', email: 'a@b.c' } } }, {}, 'a@b.c'],
    [{ meta: { owner: { name: 'Ann', email: 'a@b.c' } } }, {}, 'Ann'],
    [{ meta: { owner: { email: ['a@b.c', 'd@b.c'] } } }, {}, 'a@b.c'],
    [{ meta: { owner: { slack: '#ann' } } }, {}, undefined],
    [{ config: { meta: { owner: 'ann' } }, meta: { owner: 'bob' } }, {}, 'ann'],
    [{ config: { meta: {} }, meta: { owner: 'bob' } }, {}, 'bob'],
    [{}, { config: { group: 'finance' }, meta: { owner: 'ann' } }, 'ann'],
    [{}, { group: 'finance' }, 'Finance'],
    [{}, { config: { group: 'sales' }, group: 'finance' }, undefined],
    [{}, { group: '' }, undefined],
    [{ group: 'finance' }, {}, undefined],
  ])('with %j of a model with %j is owned by %s', (test, model, owner) => {
    const groups = {
      'group.shop.unnamed': { owner: { name: 'Unnamed' } },
      'group.shop.finance': { name: 'finance', owner: { name: 'Finance' } },
    };
    expect(labelsOf(test, model, groups)).toEqual({ owner, tags: undefined });
  });

  it('has no owner if the group of its model is not in the manifest', () => {
    expect(labelsOf({}, { group: 'finance' })).toEqual({ owner: undefined, tags: undefined });
  });

  it.each([
    [{ tags: ['a', 'b'] }, { tags: ['b', 'c'] }, ['a', 'b', 'c']],
    [{ tags: 'a' }, { tags: null }, ['a']],
    [{ tags: [''] }, { tags: '' }, undefined],
  ])('with %j of a model with %j has the tags %j', (test, model, tags) => {
    expect(labelsOf(test, model)).toEqual({ owner: undefined, tags });
  });

  it.each([
    ['v1', ['mine']],
    ['v3', ['mine']],
    ['v4', ['data', 'schema', 'mine']],
    ['v12', ['data', 'schema', 'mine']],
  ])('of a manifest %s has of data, schema and its own tag %j', (version, tags) => {
    const source = manifest('not_null', {}, { tags: ['data', 'schema', 'mine'] });
    const metadata = { dbt_schema_version: `https://schemas.getdbt.com/dbt/manifest/${version}.json` };
    expect(ruleOf({ ...source, metadata })).toMatchObject({ tags });
    expect(ruleOf({ ...source, metadata: null })).toMatchObject({ tags: ['data', 'schema', 'mine'] });
  });
});
