import { importDbt } from 'data-quality-client/rules';
import { describe, expect, it } from 'vitest';

import { manifest, orders, reasonOf, withNodes } from './dbt.ts';

const customers = { ...orders, name: 'customers', alias: 'customers' };
const sources = {
  'source.shop.raw.events': { resource_type: 'source', name: 'events', database: 'shop', schema: 'raw' },
};

function tablesOf(source: object): string[] {
  return Object.keys(importDbt(source).definition.tables);
}

describe('the relation of a test of dbt', () => {
  it('is a source if the test is attached to one', () => {
    const source = manifest('not_null', {}, { attached_node: 'source.shop.raw.events' });
    expect(tablesOf({ ...source, sources })).toEqual(['shop.raw.events']);
  });

  it.each([
    ['depends on one, whatever its arguments', undefined, ['model.shop.orders'], 'shop.sales.orders_v2'],
    [
      'refers to one of several by its name',
      "{{ get_where_subquery(ref('shop', 'orders')) }}",
      ['model.shop.customers', 'model.shop.orders'],
      'shop.sales.orders_v2',
    ],
    [
      'refers to it in double quotes',
      '{{ ref("customers") }}',
      ['model.shop.orders', 'model.shop.customers'],
      'shop.sales.customers',
    ],
    [
      'refers to a source',
      "{{ source('raw', 'events') }}",
      ['model.shop.orders', 'source.shop.raw.events'],
      'shop.raw.events',
    ],
    [
      'depends on what is not in the manifest too',
      undefined,
      ['macro.shop.other', 'model.shop.orders'],
      'shop.sales.orders_v2',
    ],
  ])('is found in an old manifest if the test %s', (_how, model, nodes, path) => {
    const fields = { attached_node: undefined, depends_on: { nodes } };
    const source = withNodes(manifest('not_null', { model }, fields), { 'model.shop.customers': customers });
    expect(tablesOf({ ...source, sources })).toEqual([path]);
  });

  it.each([
    ['depends on several and refers to none', undefined, ['model.shop.orders', 'model.shop.customers']],
    ['refers to nothing', '{{ this }}', ['model.shop.orders', 'model.shop.customers']],
    ['depends on nothing', "{{ ref('orders') }}", undefined],
    ['depends on what is not in the manifest', "{{ ref('orders') }}", ['model.shop.none']],
  ])('is not known in an old manifest if the test %s', (_how, model, nodes) => {
    const fields = { attached_node: null, depends_on: { nodes } };
    const source = withNodes(manifest('not_null', { model }, fields), { 'model.shop.customers': customers });
    expect(reasonOf(source)).toBe('the relation it looks at is not in the manifest');
  });

  it.each([
    [{ depends_on: undefined }, 'the relation it looks at is not in the manifest'],
    [
      { test_metadata: { name: 'not_null', kwargs: null } },
      'the relation it looks at is not in the manifest',
    ],
    [{ test_metadata: null }, 'a singular test is a query of its own'],
  ])('is not known in a manifest without sources of a test with %j', (fields, reason) => {
    const depends_on = { nodes: ['model.shop.orders', 'model.shop.customers', 'source.shop.raw.events'] };
    const test = { attached_node: undefined, depends_on, ...fields };
    const { nodes } = withNodes(manifest('not_null', {}, test), { 'model.shop.customers': customers });
    expect(reasonOf({ nodes })).toBe(reason);
  });

  it('is not a table if the model is ephemeral', () => {
    const ephemeral = { ...orders, config: { materialized: 'ephemeral' } };
    expect(reasonOf(withNodes(manifest('not_null', {}), { 'model.shop.orders': ephemeral }))).toBe(
      'an ephemeral model is not a table',
    );
    const table = { ...orders, config: { materialized: 'table' } };
    expect(tablesOf(withNodes(manifest('not_null', {}), { 'model.shop.orders': table }))).toHaveLength(1);
  });

  it.each([
    [['schema', null], 'shop.orders_v2'],
    [['alias', null], 'shop.sales.orders'],
  ])('has no name in its path for a %j', ([field, value], path) => {
    const model = { ...orders, [String(field)]: value };
    expect(tablesOf(withNodes(manifest('not_null', {}), { 'model.shop.orders': model }))).toEqual([path]);
  });
});

describe('the relation that a test of dbt refers to', () => {
  const to = "ref('customers')";
  const kwargs = { to, field: 'id' };
  const reason = 'to: the relation it refers to is not a table of the manifest';
  const depending = (nodes: readonly string[] | undefined) =>
    manifest('relationships', kwargs, { depends_on: { nodes } });

  it.each([
    ['is not one of its dependencies', ['model.shop.orders'], { 'model.shop.customers': customers }],
    ['is none, as there are no dependencies', undefined, { 'model.shop.customers': customers }],
    ['is not in the manifest', ['model.shop.customers'], {}],
    [
      'is ephemeral',
      ['model.shop.customers'],
      { 'model.shop.customers': { ...customers, config: { materialized: 'ephemeral' } } },
    ],
    [
      'is one of two of its name',
      ['model.shop.customers', 'model.lake.customers'],
      { 'model.shop.customers': customers, 'model.lake.customers': { ...customers, schema: 'lake' } },
    ],
  ])('is not a table if it %s', (_how, dependencies, nodes) => {
    expect(reasonOf(withNodes(depending(dependencies), nodes))).toBe(reason);
  });

  it('is not a table if it is a source of a manifest that has no sources', () => {
    const { nodes } = withNodes(depending(['source.shop.raw.events']), {});
    expect(reasonOf({ nodes })).toBe(reason);
  });

  it('can be a source', () => {
    const source = manifest(
      'relationships',
      { to: "source('raw', 'events')", field: 'id' },
      { depends_on: { nodes: ['source.shop.raw.events', 'model.shop.orders'] } },
    );
    expect(JSON.stringify(importDbt({ ...source, sources }).definition)).toContain(
      'SELECT id FROM shop.raw.events WHERE',
    );
  });
});
