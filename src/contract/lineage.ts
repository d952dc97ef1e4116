import type { Description } from './description.ts';
import { defineEndpoint } from './endpoint.ts';
import { assetParamsSchema } from './field.ts';

/** What an upload added to the lineage. */
export interface SyncStats {
  /** Models, seeds, snapshots and sources that are new in the lineage. */
  nodes_created: number;
  /** Dependencies between them that are new in the lineage. */
  edges_created: number;
}

/** The response to the upload of a manifest. */
export interface LineageUpload {
  /** What the upload added to the lineage. */
  sync_stats: SyncStats;
}

/** What of the response is checked. */
export const lineageUploadFields: Description<LineageUpload> = {
  required: { sync_stats: 'object' },
};

/** The lineage endpoint. */
export const lineageEndpoints = {
  upload: defineEndpoint({
    name: 'lineage.upload',
    summary: 'Uploads a transformation manifest to populate the lineage of an asset.',
    method: 'POST',
    path: '/api/v1/assets/{asset_id}/lineage/upload',
    retry: 'never',
    scope: 'read-write',
    request: {
      params: assetParamsSchema,
      file: { name: 'file', label: 'manifest', filename: 'manifest.json' },
    },
    envelope: 'plain',
    response: lineageUploadFields,
    timeout: 300_000,
  }),
};
