import { assetNotFound } from './problem.ts';
import type { Asset } from './store.ts';

/** The assets of a service. */
export interface Assets {
  /** Finds an asset by its UUID, or throws 404. */
  byId(assetId: string): Asset;
  /** Finds an asset by its UUID or qualified name, or throws 404. */
  byIdOrName(assetId: string): Asset;
}

const suggested = 3;

/** Makes the assets findable. */
export function createAssets(assets: readonly Asset[]): Assets {
  const byUuid = new Map(assets.map((asset) => [asset.id.toLowerCase(), asset]));
  const byName = new Map(assets.map((asset) => [asset.name, asset]));

  const missing = (assetId: string) => {
    const named = byName.get(assetId);
    const known = assets.slice(0, suggested).map(({ id, name }) => `${id} (${name})`);
    const suggestion =
      named === undefined
        ? `Check the asset_id; assets of this service: ${known.join(', ') || 'none'}`
        : `Use the id of ${named.name}: ${named.id}`;
    return assetNotFound(assetId, suggestion);
  };

  return {
    byId(assetId) {
      const asset = byUuid.get(assetId.toLowerCase());
      if (asset === undefined) throw missing(assetId);
      return asset;
    },
    byIdOrName(assetId) {
      const asset = byUuid.get(assetId.toLowerCase()) ?? byName.get(assetId);
      if (asset === undefined) throw missing(assetId);
      return asset;
    },
  };
}
