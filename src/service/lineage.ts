import { lineageEndpoints } from '../contract/index.ts';
import { readUpload } from './body.ts';
import type { Context } from './context.ts';
import { readManifest } from './manifest.ts';
import { plainRoute, type RoutesOf } from './route.ts';

/** The lineage endpoint. */
export function lineageRoutes({ assets, store }: Context): RoutesOf<typeof lineageEndpoints> {
  // One upload at a time: reading one takes several times its size in memory.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = async <Value>(task: () => Promise<Value>): Promise<Value> => {
    const result = last.then(task, task);
    last = result;
    return result;
  };

  return {
    upload: plainRoute(lineageEndpoints.upload, async ({ params }, request) => {
      const asset = assets.byId(params.asset_id);
      const graph = await inTurn(async () => readManifest(await readUpload(request)));
      return { sync_stats: await store.lineage.add(asset.id, graph) };
    }),
  };
}
