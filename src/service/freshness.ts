import { type Freshness, freshnessEndpoints } from '../contract/index.ts';
import { thresholdMinutes } from '../contract/threshold.ts';
import type { Context } from './context.ts';
import type { FreshnessReading } from './evaluation.ts';
import { isSelected, tableEntry } from './freshness-table.ts';
import { freshnessNotConfigured } from './problem.ts';
import { plainRoute, type RoutesOf } from './route.ts';
import type { Asset } from './store.ts';
import { timestamp } from './timestamp.ts';

/** Minutes that the clock of a source may be ahead; a later time says nothing about the age of data. */
export const futureToleranceMinutes = 5;

/** The freshness endpoint in its two uses. */
export function freshnessRoutes({ assets, evaluation, now }: Context): RoutesOf<typeof freshnessEndpoints> {
  const read = async (asset: Asset) => {
    const judged = judgeTables(asset, await evaluation.freshness(asset), now());
    const [worst] = judged;
    if (worst === undefined) throw freshnessNotConfigured(asset.id);
    return { judged, worst };
  };

  return {
    get: plainRoute(freshnessEndpoints.get, async ({ params }) => {
      const { freshness, message } = (await read(assets.byIdOrName(params.asset_id))).worst;
      return { success: true, data: freshness, message, meta: {} };
    }),

    overview: plainRoute(freshnessEndpoints.overview, async ({ params, query }) => {
      const asset = assets.byIdOrName(params.asset_id);
      const { judged } = await read(asset);
      const ofTable = new Map(judged.map(({ table_path, freshness }) => [table_path, freshness]));
      const tables = (await evaluation.tables(asset))
        .map((path) => tableEntry(path, ofTable.get(path)))
        .filter((entry) => isSelected(entry, query));
      const { page = 1, page_size: pageSize = 20 } = query;
      return {
        success: true,
        data: { items: tables.slice((page - 1) * pageSize, page * pageSize) },
        message: null,
        meta: {
          page,
          page_size: pageSize,
          total: tables.length,
          total_pages: Math.ceil(tables.length / pageSize),
        },
      };
    }),
  };
}

/** The freshness of one of the tables of an asset. */
export interface JudgedTable {
  readonly table_path: string | null;
  readonly freshness: Freshness;
  /** What is to be said about it. */
  readonly message: string | null;
}

/** Judges the age of an asset's data, table by table, the worst first, which is that of the asset. */
export function judgeTables(asset: Asset, readings: readonly FreshnessReading[], now: number): JudgedTable[] {
  const judged = readings.map((reading) => ({
    table_path: reading.table_path,
    freshness: judgeFreshness(asset, reading, now),
    message: reading.message ?? unknownReason(reading, now),
  }));
  return judged.toSorted((a, b) => byGravity(a.freshness, b.freshness));
}

/** Judges the age of an asset's data by its threshold. */
export function judgeFreshness(asset: Asset, reading: FreshnessReading, now: number): Freshness {
  const { last_updated, sla_threshold, timestamp_column } = reading;
  const known = timestamp_column !== null && last_updated !== null;
  const age = known ? ageMinutes(last_updated, now) : undefined;
  return {
    asset: asset.name,
    ...verdict(age, thresholdMinutes(sla_threshold)),
    last_updated: known ? timestamp(Date.parse(last_updated)) : null,
    sla_threshold,
    checked_at: timestamp(now),
    timestamp_column,
    data_age_minutes: age === undefined ? null : Math.floor(age),
    ...reading.override,
  };
}

const byStatus: readonly string[] = ['stale', 'unknown', 'fresh'];

/** An asset is as fresh as the worst of its tables: one that is stale before one that may be, and the oldest first. */
function byGravity(a: Freshness, b: Freshness): number {
  return (
    byStatus.indexOf(a.status) - byStatus.indexOf(b.status) ||
    (b.data_age_minutes ?? 0) - (a.data_age_minutes ?? 0)
  );
}

function ageMinutes(lastUpdated: string, now: number): number | undefined {
  const age = (now - Date.parse(lastUpdated)) / 60_000;
  return age < -futureToleranceMinutes ? undefined : Math.max(0, age);
}

function unknownReason({ last_updated, timestamp_column }: FreshnessReading, now: number): string | null {
  if (timestamp_column === null) return 'no timestamp_column is configured for the freshness of this asset';
  if (last_updated === null) return 'the timestamp column has no times';
  return ageMinutes(last_updated, now) === undefined ? 'the newest time is in the future' : null;
}

function verdict(age: number | undefined, threshold: number | undefined) {
  if (age === undefined || threshold === undefined) return { status: 'unknown', sla_status: null } as const;
  if (age > threshold) return { status: 'stale', sla_status: 'violated' } as const;
  return { status: 'fresh', sla_status: age > threshold * 0.8 ? 'warning' : 'within_sla' } as const;
}
