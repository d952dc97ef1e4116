import type { Evaluation } from '../service/evaluation.ts';
import { judgeFreshness } from '../service/freshness.ts';
import type { Asset } from '../service/store.ts';
import type { Column, Source } from './source.ts';

/** What a scan of an asset found. */
export interface AssetSnapshot {
  /** Columns of each table, by its path. */
  readonly tables: Readonly<Record<string, readonly Column[]>>;
  /** Why what cannot be read cannot be: the asset itself, or a table, by its name. */
  readonly unreadable: Readonly<Record<string, string>>;
  /** What is older than its threshold: the asset, or tables of it, by its name. */
  readonly stale: Readonly<Record<string, Staleness>>;
}

/** Data that is older than its threshold. */
export interface Staleness {
  readonly last_updated: string | null;
  readonly sla_threshold: string;
}

/** What a scan works with. */
export interface ScanParts {
  readonly source: Source;
  readonly evaluation: Evaluation;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Scans an asset; what cannot be read stays as it was found before. */
export async function scan(
  asset: Asset,
  before: AssetSnapshot | undefined,
  { source, evaluation, now }: ScanParts,
): Promise<AssetSnapshot> {
  const previous = before?.tables ?? {};
  const found = await source.scan(asset);
  if ('problem' in found) {
    return { tables: previous, unreadable: { [asset.name]: found.problem }, stale: before?.stale ?? {} };
  }
  const readable = found.tables.flatMap((table) => {
    const columns = 'columns' in table ? table.columns : previous[table.path];
    return columns === undefined ? [] : [[table.path, columns] as const];
  });
  return {
    tables: Object.fromEntries(readable),
    unreadable: Object.fromEntries(
      found.tables.flatMap((table) => ('problem' in table ? [[table.path, table.problem] as const] : [])),
    ),
    stale: await staleness(evaluation, asset, now),
  };
}

async function staleness(evaluation: Evaluation, asset: Asset, now: number): Promise<AssetSnapshot['stale']> {
  const readings = await evaluation.freshness(asset);
  const stale = readings.flatMap((reading) => {
    const { status, last_updated, sla_threshold } = judgeFreshness(asset, reading, now);
    if (status !== 'stale') return [];
    // One table stands for the asset.
    const name = readings.length === 1 ? asset.name : (reading.table_path ?? asset.name);
    return [[name, { last_updated: last_updated ?? null, sla_threshold: sla_threshold ?? '' }] as const];
  });
  return Object.fromEntries(stale);
}
