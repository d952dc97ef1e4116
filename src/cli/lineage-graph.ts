import type { DataQualityClient } from '../index.ts';
import { requestLocal } from './local-endpoint.ts';

/** The lineage of an asset, as the local service shows it. */
export interface LineageGraph {
  readonly nodes: readonly { readonly id: string; readonly name: string; readonly resource_type: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

/** Reads the lineage of an asset. Ends the command with `missing` if the service is not the local one. */
export async function readLineage(
  client: DataQualityClient,
  asset: string,
  missing: string,
  signal: AbortSignal,
): Promise<LineageGraph> {
  const path = `assets/${encodeURIComponent(asset)}/lineage`;
  return requestLocal<LineageGraph>(client, { method: 'GET', path, missing }, signal);
}
