import type { FreshnessReading } from '../../service/evaluation.ts';
import { futureToleranceMinutes } from '../../service/freshness.ts';
import type { Asset } from '../../service/store.ts';
import type { FreshnessConfiguration } from '../../server/configuration.ts';
import { findColumn } from '../find-column.ts';
import { describeFreshness, newestReading } from '../freshness.ts';
import { type ColumnSql, columnSql } from './column-sql.ts';
import { type DataSource, literalColumn } from './data-source.ts';
import type { Engine } from './engine.ts';
import { askAbout } from './explain.ts';
import { findTable } from './tables.ts';
import { evenWithoutCopy } from './without-copy.ts';

/** Reads the newest time in the data of an asset that is not after `now`, or why it is missing. */
export async function readFreshness(
  { finder, engine }: DataSource<Engine>,
  asset: Asset,
  configuration: FreshnessConfiguration,
  now: number,
): Promise<FreshnessReading> {
  const read: Parameters<typeof describeFreshness>[1] = async ({ table, column }) => {
    const tables = await finder.list(asset.id);
    const file = findTable(tables, table);
    const opened = await finder.open(tables, file);
    const found = findColumn(file.tablePath, opened.columns, column);
    const query = newestQuery(
      opened.literalReading.sql,
      columnSql(literalColumn(file, found)),
      now + futureToleranceMinutes * 60_000,
    );
    const [row = []] = await askAbout(engine, tables, file, query);
    return newestReading(column, row);
  };
  return describeFreshness(configuration, async (of) => evenWithoutCopy(engine, async () => read(of)));
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
