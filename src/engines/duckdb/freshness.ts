import type { FreshnessReading } from '../../service/evaluation.ts';
import type { Asset } from '../../service/store.ts';
import type { FreshnessConfiguration } from '../../server/configuration.ts';
import type { DataSource } from './data-source.ts';
import { QueryError } from './engine.ts';
import { newestQuery } from './freshness-sql.ts';
import { findColumn, findTable } from './tables.ts';

const defaultThreshold = '24h';

/** Reads the newest time in the data of an asset; data that can't be read has none. */
export async function readFreshness(
  source: DataSource,
  asset: Asset,
  { table, timestamp_column: column, threshold = defaultThreshold }: FreshnessConfiguration,
): Promise<FreshnessReading> {
  return {
    table_path: table ?? null,
    sla_threshold: threshold,
    timestamp_column: column ?? null,
    last_updated:
      table === undefined || column === undefined ? null : await newest(source, asset, table, column),
  };
}

async function newest(
  { finder, engine }: DataSource,
  asset: Asset,
  table: string,
  column: string,
): Promise<string | null> {
  try {
    const tables = await finder.look(asset.id);
    const file = findTable(tables, table);
    const { reading, columns } = await finder.typed(tables, file);
    const query = newestQuery(reading, findColumn(file, columns, column));
    const [[time] = []] = await engine.query(tables.files, query);
    return typeof time === 'number' ? new Date(time).toISOString() : null;
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}
