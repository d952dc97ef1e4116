import type { ColumnSql } from './column-sql.ts';
import { literal } from './quote.ts';

/** Aggregates: the newest time up to `latest`, in ms since 1970, and the number of times after it, of values, and of ambiguous dates. */
export function newestAggregates(column: ColumnSql, latest: number): readonly string[] {
  const time = millisecondsOf(column);
  const isPast = `ifNull(${time} <= ${latest}, 0)`;
  const ambiguous = literal('^[0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{2,4}');
  return [
    `if(countIf(${isPast}) = 0, NULL, maxIf(assumeNotNull(${time}), ${isPast}))`,
    `toFloat64(countIf(ifNull(${time} > ${latest}, 0)))`,
    `toFloat64(count(${column.plain}))`,
    `toFloat64(countIf(ifNull(match(${column.text}, ${ambiguous}), 0)))`,
  ];
}

/** A time without a zone is UTC. A number is seconds, milliseconds, micro- or nanoseconds since 1970, by its size. */
function millisecondsOf({ kind, base, plain, text, number }: ColumnSql): string {
  if (base === 'DateTime64') return `toFloat64(toUnixTimestamp64Milli(${plain}))`;
  if (base.startsWith('DateTime')) return `toFloat64(toUnixTimestamp(${plain})) * 1000`;
  // Days since 1970.
  if (kind === 'temporal') return `toFloat64(toInt32(${plain})) * 86400000`;
  // From 1973 on; smaller numbers are ids, years or days written as 20240131.
  const counted = `multiIf(${number} BETWEEN 1e8 AND 1e11, ${number} * 1000,
    ${number} BETWEEN 1e11 AND 1e14, ${number}, ${number} BETWEEN 1e14 AND 1e17, ${number} / 1000,
    ${number} BETWEEN 1e17 AND 1e20, ${number} / 1000000, NULL)`;
  if (kind !== 'text') return counted;
  const written = `toFloat64(toUnixTimestamp(parseDateTimeBestEffortOrNull(${text}, 'UTC'))) * 1000`;
  const isWritten = `match(${text}, ${literal(String.raw`^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}.*)?$`)})`;
  return `if(isNotNull(${number}), ${counted}, if(${isWritten}, ${written}, NULL))`;
}
