import * as z from 'zod/mini';

import { defineEndpoint } from './endpoint.ts';
import { assetParamsSchema, maybe } from './field.ts';

/** What an upload changed (interface: Lineage upload). */
export const lineageUploadSchema = z.looseObject({
  sync_stats: z.looseObject({
    nodes_created: maybe(z.number()),
    edges_created: maybe(z.number()),
  }),
});

/** What an upload changed. */
export type LineageUpload = z.infer<typeof lineageUploadSchema>;

/** The lineage endpoint (interface: Lineage upload). */
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
