import { lineageEndpoints } from '../contract/index.ts';
import { readUpload } from './body.ts';
import type { Context } from './context.ts';
import { readManifest } from './manifest.ts';
import { plainRoute, type Route } from './route.ts';

/** The lineage endpoint (interface: Lineage upload). */
export function lineageRoutes({ assets, store }: Context): readonly Route[] {
  return [
    plainRoute(lineageEndpoints.upload, async ({ params }, request) => {
      const asset = assets.byId(params.asset_id);
      const graph = readManifest(await readUpload(request));
      return { sync_stats: await store.lineage.add(asset.id, graph) };
    }),
  ];
}
