import { type Freshness, freshnessEndpoints } from '../contract/index.ts';
import type { Context } from './context.ts';
import type { FreshnessReading } from './evaluation.ts';
import { isSelected, tableEntry } from './freshness-table.ts';
import { freshnessNotConfigured } from './problem.ts';
import { plainRoute, type RoutesOf } from './route.ts';
import type { Asset } from './store.ts';
import { timestamp } from './timestamp.ts';

const unitMinutes = { m: 1, h: 60, d: 1440 } as const;

/** Reads a threshold such as `90m`, `24h` or `2d` in minutes; `undefined` if it is not one. */
export function thresholdMinutes(threshold: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([mhd])$/.exec(threshold) ?? [];
  return amount === undefined ? undefined : Number(amount) * unitMinutes[unit as keyof typeof unitMinutes];
}

/** Minutes that the clock of a source may be ahead; a later time says nothing about the age of data. */
export const futureToleranceMinutes = 5;

/** The freshness endpoint in its two uses. */
export function freshnessRoutes({ assets, evaluation, now }: Context): RoutesOf<typeof freshnessEndpoints> {
  const read = async (asset: Asset) => {
    const reading = await evaluation.freshness(asset);
    if (reading === undefined) throw freshnessNotConfigured(asset.id);
    const freshness = judgeFreshness(asset, reading, now());
    return { reading, freshness, message: reading.message ?? unknownReason(reading, now()) };
  };

  return {
    get: plainRoute(freshnessEndpoints.get, async ({ params }) => {
      const { freshness, message } = await read(assets.byIdOrName(params.asset_id));
      return { success: true, data: freshness, message, meta: {} };
    }),

    overview: plainRoute(freshnessEndpoints.overview, async ({ params, query }) => {
      const asset = assets.byIdOrName(params.asset_id);
      const { reading, freshness } = await read(asset);
      const tables = (await evaluation.tables(asset))
        .map((path) => tableEntry(path, path === reading.table_path ? freshness : undefined))
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
