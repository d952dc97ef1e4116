import { type DataQualityClient, isApiError } from '../index.ts';

/** A model, seed, snapshot or source of an uploaded manifest. */
export interface LineageNode {
  readonly id: string;
  readonly name: string;
  readonly resource_type: string;
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

/** Reads the lineage of an asset; only the local service can return it. */
export async function readLineage(
  client: DataQualityClient,
  assetId: string,
  signal: AbortSignal | undefined,
): Promise<Lineage | undefined> {
  const path = `/api/v1/local/assets/${encodeURIComponent(assetId)}/lineage`;
  try {
    const answer = await client.request({ method: 'GET', path }, { signal });
    return isLineage(answer) && answer.nodes.length > 0 ? answer : undefined;
  } catch (error) {
    if (isApiError(error) && error.status < 500 && error.status !== 429) return undefined;
    throw error;
  }
}

function isLineage(answer: unknown): answer is Lineage {
  const { nodes, edges } = (answer ?? {}) as { readonly nodes?: unknown; readonly edges?: unknown };
  return Array.isArray(nodes) && Array.isArray(edges);
}
