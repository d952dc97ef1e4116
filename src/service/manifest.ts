import * as z from 'zod/mini';

import { isManifestVersion, manifestNodeShape, manifestShape, relationOf } from '../contract/dbt-manifest.ts';
import { hasMoreValuesThan } from './json-values.ts';
import { invalidField } from './problem.ts';
import type { LineageGraph, LineageNode } from './store.ts';

const nodeSchema = z.object({ ...manifestNodeShape, resource_type: z.string() });

/** What of a manifest the lineage is made of; the rest is not kept. */
const manifestSchema = z.object({
  ...manifestShape(nodeSchema),
  parent_map: z.nullish(z.record(z.string(), z.array(z.string()))),
});

type ManifestNode = z.infer<typeof nodeSchema>;

/** Tests, analyses and macros are not tables: data does not flow through them. */
const lineageTypes = new Set(['model', 'seed', 'snapshot', 'source']);

/** Reads the lineage out of a transformation manifest; throws 400 if the text is not one. */
export function readManifest(text: string): LineageGraph {
  const manifest = parseManifest(text);
  const found = Object.entries({ ...manifest.nodes, ...manifest.sources }).filter(([, node]) =>
    lineageTypes.has(node.resource_type),
  );
  const ids = new Set(found.map(([id]) => id));
  const edges = found.flatMap(([to, node]) => {
    const parents = manifest.parent_map?.[to] ?? node.depends_on?.nodes ?? [];
    return [...new Set(parents)].filter((from) => ids.has(from)).map((from) => ({ from, to }));
  });
  return { nodes: found.map(([id, node]) => lineageNode(id, node)), edges };
}

/** Most values in a manifest: a value of three bytes can take a hundred times that in memory. */
const mostValues = 5_000_000;

function parseManifest(text: string): z.infer<typeof manifestSchema> {
  if (hasMoreValuesThan(mostValues, text)) throw invalidField('file', `has more than ${mostValues} values`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalidField('file', 'is not JSON');
  }
  const { success, data } = z.safeParse(manifestSchema, json);
  if (!success || !isManifestVersion(data.metadata?.dbt_schema_version)) {
    throw invalidField('file', 'is not a transformation manifest');
  }
  return data;
}

function lineageNode(id: string, node: ManifestNode): LineageNode {
  const name = node.name ?? id;
  const { database, schema, name: table } = relationOf({ ...node, name });
  const isComplete = database !== null && schema !== null && table !== null;
  return {
    id,
    resource_type: node.resource_type,
    name,
    table_path: isComplete ? `${database}.${schema}.${table}` : null,
  };
}
