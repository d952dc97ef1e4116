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
  /** Set while the data is older than its threshold. */
  readonly stale: { readonly last_updated: string | null; readonly sla_threshold: string } | null;
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
    return { tables: previous, unreadable: { [asset.name]: found.problem }, stale: before?.stale ?? null };
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
  const reading = await evaluation.freshness(asset);
  if (reading === undefined) return null;
  const freshness = judgeFreshness(asset, reading, now);
  if (freshness.status !== 'stale') return null;
  return { last_updated: freshness.last_updated ?? null, sla_threshold: freshness.sla_threshold ?? '' };
}
