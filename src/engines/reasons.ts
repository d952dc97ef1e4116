import { closest } from '../closest.ts';
import { futureToleranceMinutes } from '../service/freshness.ts';
import { longestReason, mostGroups } from './limits.ts';

const mostListed = 20;

/** Lists names for a reason, the first of them only if there are many. */
export function listed(names: readonly string[]): string {
  const more = names.length > mostListed ? `, … (${names.length} in all)` : '';
  return names.length === 0 ? 'none' : names.slice(0, mostListed).join(', ') + more;
}

/** No table has this path. */
export function noTable(path: string, known: readonly string[]): string {
  const name = closest(known.map(lastPart), lastPart(path));
  const meant = known.find((other) => lastPart(other) === name);
  const tables = `the tables are ${listed(known)}`;
  return meant === undefined
    ? `there is no table ${path}; ${tables}`
    : `there is no table ${path}: did you mean ${meant}? (${tables})`;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** A table has no such column. */
export function noColumn(table: string, column: string, known: readonly string[]): string {
  return `${table} has no column ${column}; its columns are ${listed(known)}`;
}

/** Several columns have this name, but for the case of their letters. */
export function ambiguousColumn(table: string, column: string, candidates: readonly string[]): string {
  return `${table} has the columns ${listed(candidates)}, whose names differ only in case; none of them is exactly ${column}`;
}

/** Columns that SQL cannot distinguish, as it ignores the case of names. */
export function indistinctColumns(table: string, candidates: readonly string[]): string {
  return `${table} has the columns ${listed(candidates)}, whose names differ only in case: SQL cannot distinguish them, so an expression cannot use them`;
}

/** An expression has another type than boolean. */
export function notBoolean(type: string): string {
  return `the expression must be boolean, it is ${type}`;
}

/** A grouped metric has more groups than are captured. */
export function tooManyGroups(): string {
  return `there are more than ${mostGroups} groups`;
}

/** A metric over no rows. */
export function noRows(table: string): string {
  return `${table} has no rows`;
}

/** A metric of numbers over a column that has none. */
export function noNumbers(column: string): string {
  return `the column ${column} has no numbers`;
}

/** A metric whose value no JSON number can express. */
export function notFinite(column: string): string {
  return `the values of ${column} are too large to compute with`;
}

/** Freshness without a table or a timestamp column. */
export function notConfigured(what: 'table' | 'timestamp_column'): string {
  return `no ${what} is configured for the freshness of this asset`;
}

/** A timestamp column without a time. */
export function noTimes(column: string, isEmpty: boolean): string {
  return isEmpty
    ? `the column ${column} has no values`
    : `the column ${column} has no times: write them as 2024-01-31T10:00:00Z or as seconds or milliseconds since 1970`;
}

/** A timestamp column whose dates can be read in two ways. */
export function ambiguousDates(column: string): string {
  return `the dates in ${column} can be read as day/month or as month/day: write them as 2024-01-31`;
}

/** Times that were left out, as they have not come yet. */
export function futureTimes(column: string, count: number): string {
  const values = count === 1 ? '1 value' : `${count} values`;
  return `${values} of ${column} more than ${futureToleranceMinutes} minutes in the future ${count === 1 ? 'was' : 'were'} left out`;
}

/** Cuts a reason that a driver gave to a line of bounded length. */
export function shortReason(reason: string): string {
  const line = reason.trim().split(/\s*\n/u, 1)[0] ?? '';
  return line.length > longestReason ? `${line.slice(0, longestReason)}…` : line;
}
