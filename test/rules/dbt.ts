import { importDbt } from 'data-quality-client/rules';
import { expect } from 'vitest';

/** The model that the tests of manifests look at. */
export const orders = {
  resource_type: 'model',
  name: 'orders',
  alias: 'orders_v2',
  database: 'shop',
  schema: 'sales',
};

/** A manifest with one test of `orders`, as recent versions of dbt write it. */
export function manifest(name: string, kwargs: object, fields: object = {}): object {
  const [namespace, short] = name.includes('.') ? name.split('.') : [null, name];
  return {
    metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' },
    nodes: {
      'model.shop.orders': orders,
      'test.shop.it': {
        resource_type: 'test',
        name: 'it',
        column_name: 'amount',
        attached_node: 'model.shop.orders',
        test_metadata: { name: short, namespace, kwargs: { column_name: 'amount', ...kwargs } },
        config: { severity: 'ERROR', where: null, error_if: '!= 0', warn_if: '!= 0' },
        ...fields,
      },
    },
    sources: {},
  };
}

/** The one rule of a manifest without anything that cannot become a rule. */
export function ruleOf(source: object): unknown {
  const { definition, unmapped } = importDbt(source);
  expect(unmapped).toEqual([]);
  return definition.tables['shop.sales.orders_v2']?.rules?.[0];
}

/** A manifest with a source and nothing else. */
export function withSource(fields: object): object {
  const source = {
    resource_type: 'source',
    name: 'events',
    identifier: 'events_v1',
    database: 'shop',
    schema: 'raw',
  };
  return { nodes: {}, sources: { 'source.shop.raw.events': { ...source, ...fields } } };
}

/** What a rule has of every test that `manifest` makes. */
export const named = { name: 'it', column_name: 'amount', severity: 'critical' };

/** Why the one test of a manifest is left out. */
export function reasonOf(source: object): string | undefined {
  const { definition, unmapped } = importDbt(source);
  expect(definition).toEqual({ tables: {} });
  expect(unmapped).toHaveLength(1);
  return unmapped[0]?.reason;
}

/** The same manifest with other nodes beside its own. */
export function withNodes(
  source: object,
  nodes: Readonly<Record<string, object>>,
): { readonly nodes: Readonly<Record<string, object>> } {
  return { ...source, nodes: { ...(source as { nodes: object }).nodes, ...nodes } };
}
