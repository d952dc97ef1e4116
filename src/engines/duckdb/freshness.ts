import type { FreshnessReading } from '../../service/evaluation.ts';
import { futureToleranceMinutes } from '../../service/freshness.ts';
import type { Asset } from '../../service/store.ts';
import type { FreshnessConfiguration } from '../../server/configuration.ts';
import { ambiguousDates, futureTimes, noTimes, notConfigured } from '../reasons.ts';
import { type ColumnSql, columnSql } from './column-sql.ts';
import { type DataSource, literalColumn } from './data-source.ts';
import { QueryError } from './engine.ts';
import { askAbout } from './explain.ts';
import { findColumn, findTable } from './tables.ts';

const defaultThreshold = '24h';

/** Reads the newest time in the data of an asset that is not after `now`, or why there is none. */
export async function readFreshness(
  source: DataSource,
  asset: Asset,
  { table, timestamp_column: column, threshold = defaultThreshold }: FreshnessConfiguration,
  now: number,
): Promise<FreshnessReading> {
  return {
    table_path: table ?? null,
    sla_threshold: threshold,
    timestamp_column: column ?? null,
    ...(table === undefined || column === undefined
      ? {
          last_updated: null,
          message: notConfigured(table === undefined ? 'table' : 'timestamp_column'),
        }
      : await newest(source, asset, { table, column, now })),
  };
}

interface Wanted {
  readonly table: string;
  readonly column: string;
  readonly now: number;
}

async function newest(
  { finder, engine }: DataSource,
  asset: Asset,
  { table, column, now }: Wanted,
): Promise<Pick<FreshnessReading, 'last_updated' | 'message'>> {
  try {
    const tables = await finder.list(asset.id);
    const file = findTable(tables, table);
    const opened = await finder.open(tables, file);
    const found = findColumn(file, opened.columns, column);
    const query = newestQuery(
      opened.literalReading([found]),
      columnSql(literalColumn(file, found)),
      now + futureToleranceMinutes * 60_000,
    );
    const [[time, future, values, ambiguous] = []] = await askAbout(engine, tables, file, query);
    const message = reasonOf(column, {
      isKnown: typeof time === 'number',
      future: Number(future),
      values: Number(values),
      ambiguous: Number(ambiguous),
    });
    return { last_updated: typeof time === 'number' ? new Date(time).toISOString() : null, message };
  } catch (error) {
    if (error instanceof QueryError) return { last_updated: null, message: error.message };
    throw error;
  }
}

interface Counted {
  readonly isKnown: boolean;
  readonly future: number;
  readonly values: number;
  readonly ambiguous: number;
}

function reasonOf(column: string, { isKnown, future, values, ambiguous }: Counted): string | null {
  if (future > 0) return futureTimes(column, future);
  if (isKnown) return null;
  return ambiguous > 0 ? ambiguousDates(column) : noTimes(column, values === 0);
}

/** Reads the newest time up to a limit as milliseconds since 1970, and counts the times after it, the values and the ambiguous ones. */
function newestQuery(reading: string, column: ColumnSql, latest: number): string {
  return `SELECT max(__dq_time) FILTER (WHERE __dq_time <= ${latest}),
      (count(*) FILTER (WHERE __dq_time > ${latest}))::DOUBLE,
      count(__dq_text)::DOUBLE,
      (count(*) FILTER (WHERE regexp_matches(__dq_text, '^[0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{2,4}')))::DOUBLE
    FROM (SELECT ${millisecondsOf(column)} AS __dq_time, ${column.text} AS __dq_text FROM ${reading})`;
}

/** A time without a zone is UTC. A number is seconds, milliseconds, micro- or nanoseconds since 1970, by its size. */
function millisecondsOf({ text, value, number, isTemporal }: ColumnSql): string {
  const time = isTemporal ? `${value}::TIMESTAMPTZ` : `TRY_CAST(${text} AS TIMESTAMPTZ)`;
  const written = `CASE WHEN isfinite(${time}) THEN epoch_ms(${time})::DOUBLE END`;
  if (isTemporal) return written;
  // From 1973 on; smaller numbers are ids, years or days written as 20240131.
  return `CASE WHEN ${number} IS NULL THEN ${written}
      WHEN ${number} BETWEEN 1e8 AND 1e11 THEN ${number} * 1000
      WHEN ${number} BETWEEN 1e11 AND 1e14 THEN ${number}
      WHEN ${number} BETWEEN 1e14 AND 1e17 THEN ${number} / 1000
      WHEN ${number} BETWEEN 1e17 AND 1e20 THEN ${number} / 1000000 END`;
}
