import { expect, test } from 'vitest';

import { readManifest } from '../../src/service/manifest.ts';

const model = { resource_type: 'model', name: 'orders' };

function read(manifest: unknown) {
  return readManifest(JSON.stringify(manifest));
}

test('nodes are models, seeds, snapshots and sources; edges run between them', () => {
  expect(
    read({
      nodes: {
        'model.a': { ...model, database: 'db', schema: 'main', alias: 'orders_v2' },
        'seed.b': { resource_type: 'seed', name: 'raw' },
        'snapshot.c': { resource_type: 'snapshot', name: 'history' },
        'test.d': { resource_type: 'test', name: 'unique' },
      },
      sources: {
        'source.e': { resource_type: 'source', name: 'p', identifier: 'pay', database: 'db', schema: 'x' },
      },
      parent_map: {
        'model.a': ['seed.b', 'source.e', 'macro.x', 'seed.b'],
        'snapshot.c': ['model.a'],
        'test.d': ['model.a'],
      },
    }),
  ).toEqual({
    nodes: [
      { id: 'model.a', resource_type: 'model', name: 'orders', table_path: 'db.main.orders_v2' },
      { id: 'seed.b', resource_type: 'seed', name: 'raw', table_path: null },
      { id: 'snapshot.c', resource_type: 'snapshot', name: 'history', table_path: null },
      { id: 'source.e', resource_type: 'source', name: 'p', table_path: 'db.x.pay' },
    ],
    edges: [
      { from: 'seed.b', to: 'model.a' },
      { from: 'source.e', to: 'model.a' },
      { from: 'model.a', to: 'snapshot.c' },
    ],
  });
});

test('a table has a path if its database, schema and name are known, and a node without a name has its id', () => {
  const { nodes } = read({
    nodes: {
      'model.a': { ...model, database: 'db', schema: 'main' },
      'model.b': { ...model, database: 'db' },
      'model.c': { ...model, schema: 'main' },
      'model.d': { resource_type: 'model', database: 'db', schema: 'main' },
    },
  });
  expect(nodes.map(({ name, table_path }) => [name, table_path])).toEqual([
    ['orders', 'db.main.orders'],
    ['orders', null],
    ['orders', null],
    ['model.d', 'db.main.model.d'],
  ]);
});

test('a node that a parent_map leaves out has the edges of its depends_on, or none', () => {
  const { edges } = read({
    nodes: {
      'model.a': model,
      'model.b': { ...model, depends_on: { nodes: ['model.a'] } },
      'model.c': { ...model, depends_on: {} },
    },
    parent_map: { 'model.a': [] },
  });
  expect(edges).toEqual([{ from: 'model.a', to: 'model.b' }]);
});

test('without a parent_map the edges come from depends_on', () => {
  const { edges } = read({
    nodes: { 'model.a': model, 'model.b': { ...model, depends_on: { nodes: ['model.a', 'test.x'] } } },
  });
  expect(edges).toEqual([{ from: 'model.a', to: 'model.b' }]);
});

test.each([
  ['nothing', ''],
  ['half a file', '{"nodes":'],
  ['a list', '[]'],
  ['an object without nodes', '{"metadata":{}}'],
  ['nodes that are none', '{"nodes":{"a":1}}'],
  ['run results', '{"metadata":{"dbt_schema_version":"https://x/dbt/run-results/v6.json"},"nodes":{}}'],
])('%s is refused', (_, text) => {
  expect(() => readManifest(text)).toThrow(
    expect.objectContaining({
      status: 400,
      details: { field: 'file', error: expect.any(String) as unknown },
    }),
  );
});

test('a manifest may have a long text with what looks like values', () => {
  const raw_code = `select "a\\", ${'[,'.repeat(10_000)}`;
  expect(read({ nodes: { 'model.a': { ...model, raw_code } } }).nodes).toHaveLength(1);
});
