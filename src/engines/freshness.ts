import type { FreshnessReading } from '../service/evaluation.ts';
import type { FreshnessConfiguration } from '../server/configuration.ts';
import { QueryError } from './query-error.ts';
import { ambiguousDates, futureTimes, noTimes, notConfigured } from './reasons.ts';

const defaultThreshold = '24h';

/** The newest time, and why it is missing or what was left out. */
export type NewestTime = Pick<FreshnessReading, 'last_updated' | 'message'>;

/** Describes the age of an asset's data; `read` finds the newest time if the configuration says in what. */
export async function describeFreshness(
  { table, timestamp_column: column, threshold = defaultThreshold }: FreshnessConfiguration,
  read: (wanted: { readonly table: string; readonly column: string }) => Promise<NewestTime>,
): Promise<FreshnessReading> {
  const configured = {
    table_path: table ?? null,
    sla_threshold: threshold,
    timestamp_column: column ?? null,
  };
  if (table === undefined || column === undefined) {
    const message = notConfigured(table === undefined ? 'table' : 'timestamp_column');
    return { ...configured, last_updated: null, message };
  }
  try {
    return { ...configured, ...(await read({ table, column })) };
  } catch (error) {
    if (error instanceof QueryError) return { ...configured, last_updated: null, message: error.message };
    throw error;
  }
}

/** Reads a row of the newest time in ms, and the number of times after now, of values and of ambiguous dates. */
export function newestReading(column: string, row: readonly unknown[]): NewestTime {
  const [time, future, values, ambiguous] = row;
  const isKnown = typeof time === 'number';
  const message =
    Number(future) > 0
      ? futureTimes(column, Number(future))
      : isKnown
        ? null
        : Number(ambiguous) > 0
          ? ambiguousDates(column)
          : noTimes(column, Number(values) === 0);
  return { last_updated: isKnown ? new Date(time).toISOString() : null, message };
}
