import { judgeFreshness } from '../service/freshness.ts';
import type { LocalAsset } from './assets.ts';
import type { TableFile } from '../engines/duckdb/catalog.ts';
import type { Column } from '../engines/duckdb/column-sql.ts';
import type { DataSource } from '../engines/duckdb/data-source.ts';
import { QueryError } from '../engines/duckdb/engine.ts';
import { readFreshness } from '../engines/duckdb/freshness.ts';
import type { Tables } from '../engines/duckdb/tables.ts';

/** What a look at an asset saw. */
export interface Look {
  /** Columns of each table, by its path. */
  readonly tables: Readonly<Record<string, readonly Column[]>>;
  /** Why what can't be read can't be: the asset itself, or a table, by its name. */
  readonly unreadable: Readonly<Record<string, string>>;
  /** Set while the data is older than its threshold. */
  readonly stale: { readonly last_updated: string | null; readonly sla_threshold: string } | null;
}

/** Looks at an asset; of what can't be read, what was seen before still stands. */
export async function takeLook(
  source: DataSource,
  asset: LocalAsset,
  before: Look | undefined,
  now: number,
): Promise<Look> {
  const previous = before?.tables ?? {};
  let tables: Tables;
  try {
    tables = await source.finder.list(asset.id);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { tables: previous, unreadable: { [asset.name]: error.message }, stale: before?.stale ?? null };
  }
  const seen = await Promise.all(tables.ofAsset.map(async (file) => describe(source, tables, file)));
  const readable = seen.flatMap(({ path, columns }) => {
    const known = columns ?? previous[path];
    return known === undefined ? [] : [[path, known] as const];
  });
  return {
    tables: Object.fromEntries(readable),
    unreadable: Object.fromEntries(
      seen.flatMap(({ path, problem }) => (problem === undefined ? [] : [[path, problem] as const])),
    ),
    stale: await staleness(source, asset, now),
  };
}

interface Seen {
  readonly path: string;
  readonly columns?: readonly Column[];
  readonly problem?: string;
}

async function describe({ finder }: DataSource, tables: Tables, file: TableFile): Promise<Seen> {
  try {
    return { path: file.tablePath, columns: await finder.sampledColumns(tables, file) };
  } catch (error) {
    if (error instanceof QueryError) return { path: file.tablePath, problem: error.message };
    throw error;
  }
}

async function staleness(source: DataSource, asset: LocalAsset, now: number): Promise<Look['stale']> {
  if (asset.freshness === undefined) return null;
  const freshness = judgeFreshness(asset, await readFreshness(source, asset, asset.freshness, now), now);
  if (freshness.status !== 'stale') return null;
  return { last_updated: freshness.last_updated ?? null, sla_threshold: freshness.sla_threshold ?? '' };
}
