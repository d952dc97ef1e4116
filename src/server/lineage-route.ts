import * as z from 'zod/mini';

import { defineEndpoint } from '../contract/endpoint.ts';
import { assetParamsSchema } from '../contract/field.ts';
import { createAssets } from '../service/assets.ts';
import { objectRoute, type Route } from '../service/route.ts';
import type { Asset, LineageStore } from '../service/store.ts';

/**
 * The lineage that was uploaded, for the picture in a report. The interface shows no endpoint that reads lineage: this
 * one is the local service's own, below a path of its own.
 */
const lineageEndpoint = defineEndpoint({
  summary: 'Returns the lineage of an asset.',
  method: 'GET',
  path: '/api/v1/local/assets/{asset_id}/lineage',
  retry: 'safe',
  scope: 'read-only',
  request: { params: assetParamsSchema },
  envelope: 'object',
  response: z.looseObject({ nodes: z.array(z.unknown()), edges: z.array(z.unknown()) }),
});

/** The route that reads the lineage of an asset. */
export function lineageRoute(assets: readonly Asset[], store: LineageStore): Route {
  const known = createAssets(assets);
  return objectRoute(lineageEndpoint, async ({ params }) => {
    const { nodes, edges } = await store.get(known.byId(params.asset_id).id);
    return { nodes: [...nodes], edges: [...edges] };
  });
}
