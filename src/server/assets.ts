import { realpath } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';

import { ConfigurationError } from '../errors.ts';
import type { Asset } from '../service/store.ts';
import { assetIdOf } from './asset-id.ts';
import {
  type AssetConfiguration,
  type Configuration,
  configurationFile,
  type FreshnessConfiguration,
} from './configuration.ts';

/** An asset of the local service: a folder of files. */
export interface LocalAsset extends Asset {
  /** Absolute path of its folder. */
  readonly path: string;
  readonly freshness: FreshnessConfiguration | undefined;
}

/** The assets of a data folder: the folder itself, then those that `dq.json` adds. `data` is its real path. */
export async function assetsOf(data: string, { assets = [] }: Configuration): Promise<readonly LocalAsset[]> {
  const folderName = basename(data) || 'data';
  const isFolder = ({ name, path }: AssetConfiguration) =>
    name === folderName || (name === undefined && path === undefined);
  const own = assets.find(isFolder) ?? {};
  if (own.path !== undefined && (await pathWithin(data, folderName, own.path)) !== data) {
    throw wrongAsset(folderName, 'is the folder itself and takes no other path');
  }
  const others = await Promise.all(
    assets
      .filter((asset) => asset !== own)
      .map(async (asset) => {
        const name = asset.name ?? basename(asset.path ?? '');
        if (asset.path === undefined) throw wrongAsset(name, 'needs a path');
        return { asset, name, path: await pathWithin(data, name, asset.path) };
      }),
  );
  const all = [{ asset: own, name: folderName, path: data }, ...others].map(({ asset, name, path }, at) => ({
    id: (asset.id ?? assetIdOf(name)).toLowerCase(),
    numericId: at + 1,
    name,
    path,
    freshness: asset.freshness,
  }));
  for (const key of ['name', 'id'] as const) {
    const twice = all.find((asset, at) => all.findIndex((other) => other[key] === asset[key]) !== at);
    if (twice !== undefined)
      throw wrongAsset(twice.name, `is there twice: another asset has the same ${key}`);
  }
  return all;
}

async function pathWithin(data: string, name: string, path: string): Promise<string> {
  let real: string;
  try {
    real = await realpath(join(data, path));
  } catch (error) {
    throw wrongAsset(name, `has a path that does not exist: ${path}`, error);
  }
  const within = relative(data, real);
  if (within === '..' || within.startsWith(`..${sep}`)) {
    throw wrongAsset(name, `has a path that leads out of the data folder: ${path}`);
  }
  return real;
}

function wrongAsset(name: string, problem: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`${configurationFile}: the asset ${name} ${problem}`, { cause });
}
