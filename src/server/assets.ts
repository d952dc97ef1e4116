import { realpath } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';

import { ConfigurationError } from '../errors/configuration-error.ts';
import type { Asset } from '../service/store.ts';
import { assetIdOf } from './asset-id.ts';
import {
  type AssetConfiguration,
  type Configuration,
  configurationFile,
  type FreshnessConfiguration,
  type SourceConfiguration,
} from './configuration.ts';

/** An asset of the local service: a folder of files, or a database. */
export interface LocalAsset extends Asset {
  /** Absolute path of its folder; undefined for a database. */
  readonly path: string | undefined;
  /** The database, if it is one. */
  readonly source: SourceConfiguration | undefined;
  /** How the age of its data is judged: by one table, or by several. */
  readonly freshness: readonly FreshnessConfiguration[];
}

/** Databases by the names of their assets. */
export type NamedSources = Readonly<Record<string, SourceConfiguration>>;

/**
 * The assets of a service: the data folder itself, those that its `dq.json` adds, and the databases in `sources`, of
 * which `dq.json` may say more. `data` is the real path of the folder; undefined without one.
 */
export async function assetsOf(
  data: string | undefined,
  { assets = [] }: Configuration,
  sources: NamedSources = {},
): Promise<readonly LocalAsset[]> {
  const folder = data === undefined ? undefined : await folderOf(data, assets);
  const isGiven = ({ name }: AssetConfiguration) => name !== undefined && Object.hasOwn(sources, name);
  const others = await Promise.all(
    assets
      .filter((asset) => asset !== folder?.asset && !isGiven(asset))
      .map(async (asset) => {
        const name = asset.name ?? basename(asset.path ?? '');
        if (asset.source !== undefined) return databaseOf(asset);
        if (asset.path === undefined || data === undefined)
          throw wrongAsset(name, 'needs a path or a source');
        return { asset, name, path: await pathWithin(data, name, asset.path), source: undefined };
      }),
  );
  const given = Object.entries(sources).map(([name, source]) => {
    const asset: AssetConfiguration = assets.find((candidate) => candidate.name === name) ?? {};
    if (asset.path !== undefined) throw wrongAsset(name, 'has a path, and is a source that was given');
    return { asset, name, path: undefined, source };
  });
  const found = [...(folder === undefined ? [] : [folder]), ...others, ...given];
  const all = found.map(({ asset, name, path, source }, at) => ({
    id: (asset.id ?? assetIdOf(name)).toLowerCase(),
    numericId: at + 1,
    name,
    path,
    source,
    freshness: [asset.freshness ?? []].flat(),
  }));
  for (const key of ['name', 'id'] as const) {
    const twice = all.find((asset, at) => all.findIndex((other) => other[key] === asset[key]) !== at);
    if (twice !== undefined)
      throw wrongAsset(twice.name, `is there twice: another asset has the same ${key}`);
  }
  return all;
}

async function folderOf(data: string, assets: readonly AssetConfiguration[]) {
  const name = basename(data) || 'data';
  const isFolder = (asset: AssetConfiguration) =>
    asset.source === undefined &&
    (asset.name === name || (asset.name === undefined && asset.path === undefined));
  const asset = assets.find(isFolder) ?? {};
  if (asset.path !== undefined && (await pathWithin(data, name, asset.path)) !== data) {
    throw wrongAsset(name, 'is the folder itself and takes no other path');
  }
  return { asset, name, path: data, source: undefined };
}

function databaseOf(asset: AssetConfiguration) {
  const { name, path, source } = asset;
  if (name === undefined) throw wrongAsset('with a source', 'needs a name');
  if (path !== undefined)
    throw wrongAsset(name, 'has a path and a source: it is either a folder or a database');
  return { asset, name, path: undefined, source };
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
