import type * as z from 'zod/mini';

import { defineEndpoint } from './endpoint.ts';
import { assetParamsSchema, type Field, type ResponseSchema, responseObject, shown } from './field.ts';

const syncStatsShape = {
  /** Models, seeds, snapshots and sources that are new in the lineage. */
  nodes_created: shown<number>(),
  /** Dependencies between them that are new in the lineage. */
  edges_created: shown<number>(),
};

const syncStatsSchema: ResponseSchema<typeof syncStatsShape> = responseObject(syncStatsShape);

/** What an upload added to the lineage. */
export interface SyncStats extends z.infer<typeof syncStatsSchema> {}

const lineageUploadShape = {
  /** What the upload added to the lineage. */
  sync_stats: syncStatsSchema as Field<SyncStats>,
};

/** The response to the upload of a manifest. */
export const lineageUploadSchema: ResponseSchema<typeof lineageUploadShape> =
  responseObject(lineageUploadShape);

/** The response to the upload of a manifest. */
export interface LineageUpload extends z.infer<typeof lineageUploadSchema> {}

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
    response: lineageUploadSchema,
    timeout: 300_000,
  }),
};
