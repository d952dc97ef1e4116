import * as z from 'zod/mini';

import { isManifestVersion, manifestNodeShape, manifestShape, relationOf } from '../contract/dbt-manifest.ts';
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

/** Whether a JSON text has more values than may be parsed; an approximation that is never far too low. */
function hasTooManyValues(text: string): boolean {
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      // Commas and brackets in a text are not values; an escaped quote does not end it.
      do at = text.indexOf('"', at + 1);
      while (at !== -1 && isEscaped(text, at));
      if (at === -1) return false;
    } else if (character === ',' || character === '[' || character === '{') {
      values += 1;
      if (values > mostValues) return true;
    }
  }
  return false;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}

function parseManifest(text: string): z.infer<typeof manifestSchema> {
  if (hasTooManyValues(text)) throw invalidField('file', `has more than ${mostValues} values`);
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
