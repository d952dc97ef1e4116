import type { Row } from './state.ts';

/** Reads the first value of the first row as a number. */
export function numberIn(rows: readonly Row[]): number {
  return Number(rows[0]?.[0] ?? 0);
}

/** Reads rows of a status and how often it occurs. */
export function statusCounts(rows: readonly Row[]): ReadonlyMap<string, number> {
  return new Map(rows.map(([status, count]) => [String(status), Number(count)]));
}
