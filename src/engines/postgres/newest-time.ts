import { readDateFormat } from '../../service/date-format.ts';
import type { ColumnSql } from './column-sql.ts';
import { dateFormatCondition } from './rules/date-format.ts';
import { literal } from './quote.ts';

/** Aggregates: the newest time up to `latest`, in ms since 1970, and the number of times after it, of values, and of ambiguous dates. */
export function newestAggregates(column: ColumnSql, latest: number): readonly string[] {
  const time = millisecondsOf(column);
  const ambiguous = literal('^[0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{2,4}');
  return [
    `max(${time}) FILTER (WHERE ${time} <= ${latest})`,
    `(count(*) FILTER (WHERE ${time} > ${latest}))::float8`,
    `count(${column.plain})::float8`,
    `(count(*) FILTER (WHERE ${column.text} ~ ${ambiguous}))::float8`,
  ];
}

/** A time without a zone is UTC. A number is seconds, milliseconds, micro- or nanoseconds since 1970, by its size. */
function millisecondsOf(column: ColumnSql): string {
  const { kind, plain, text, number } = column;
  if (kind === 'temporal') return `CASE WHEN isfinite(${plain}) THEN ${epoch(`${plain}::timestamptz`)} END`;
  // From 1973 on; smaller numbers are ids, years or days written as 20240131.
  const counted = `WHEN ${number} BETWEEN 1e8 AND 1e11 THEN ${number} * 1000
    WHEN ${number} BETWEEN 1e11 AND 1e14 THEN ${number}
    WHEN ${number} BETWEEN 1e14 AND 1e17 THEN ${number} / 1000
    WHEN ${number} BETWEEN 1e17 AND 1e20 THEN ${number} / 1000000`;
  if (kind !== 'text' && kind !== 'json') return `CASE ${counted} END`;
  return `CASE ${counted} WHEN ${isWrittenTime(text)} THEN ${epoch(`(${text})::timestamptz`)} END`;
}

function epoch(time: string): string {
  return `floor(extract(epoch from ${time}) * 1000)::float8`;
}

const rest =
  '([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?([ ]?(Z|[+-](0[0-9]|1[0-3])(:?[0-5][0-9])?))?)?';

/** Whether a text is a date of ISO 8601, maybe with a time: nothing else is cast, as a cast may raise an error. */
function isWrittenTime(text: string): string {
  const day = readDateFormat('YYYY-MM-DD');
  if (typeof day === 'string') throw new TypeError(day);
  const date = { kind: 'text', plain: text, text: `left(${text}, 10)` } as const;
  return `${text} ~ ${literal(`^[0-9]{4}-[0-9]{2}-[0-9]{2}${rest}$`)} AND left(${text}, 4) <> '0000' AND ${dateFormatCondition(day, date)}`;
}
