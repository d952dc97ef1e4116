import type { DataQualityClient } from '../index.ts';
import { asRecord, displayText } from '../judgement/field.ts';
import { requestLocalAsset } from './local-service.ts';

/** A model, seed, snapshot or source of an uploaded manifest. */
export interface LineageNode {
  readonly id: string;
  readonly name: string;
  readonly resource_type: string;
  /** The table it becomes, as `<catalog>.<schema>.<table>`, if the manifest has it. */
  readonly table_path?: string | null;
}

/** `to` is made from `from`; both are ids of nodes. */
export interface LineageEdge {
  readonly from: string;
  readonly to: string;
}

/** What was made from what. */
export interface Lineage {
  readonly nodes: readonly LineageNode[];
  readonly edges: readonly LineageEdge[];
}

/** Whether a node becomes this table: by its whole name, or by as much of it as the manifest has. */
export function becomesTable({ table_path, name }: LineageNode, path: string): boolean {
  const [wanted, table] = [(table_path ?? name).toLowerCase(), path.toLowerCase()];
  return wanted === table || wanted.endsWith(`.${table}`) || table.endsWith(`.${wanted}`);
}

/**
 * Reads the lineage of an asset from a service that says it is the local one; no other service has an endpoint for
 * it. Returns `undefined` if it is missing or cannot be read: a report without a picture is still a report.
 */
export async function readLineage(
  client: DataQualityClient,
  assetId: string,
  headers: Headers,
  signal: AbortSignal | undefined,
): Promise<Lineage | undefined> {
  const response = await requestLocalAsset(client, assetId, 'lineage', { headers, signal });
  return response === undefined ? undefined : toLineage(response);
}

function toLineage(response: unknown): Lineage | undefined {
  const { nodes, edges } = asRecord(response);
  if (!Array.isArray(nodes) || !Array.isArray(edges) || nodes.length === 0) return undefined;
  return {
    nodes: nodes.map(asRecord).map(({ id, name, resource_type, table_path }) => ({
      id: displayText(id),
      name: displayText(name) || displayText(id),
      resource_type: displayText(resource_type),
      table_path: typeof table_path === 'string' ? table_path : null,
    })),
    edges: edges.map(asRecord).map(({ from, to }) => ({ from: displayText(from), to: displayText(to) })),
  };
}
