import type { Row } from './state.ts';

type Defined<Patch> = { [Key in keyof Patch]?: Exclude<Patch[Key], undefined> };

/** The keys of a patch that change something: a key that is undefined stays as it is. */
export function changes<Patch extends object>(patch: Patch): Defined<Patch> {
  // Object.entries forgets the key of each value.
  return Object.fromEntries(
    Object.entries(patch).filter(([, value]) => value !== undefined),
  ) as Defined<Patch>;
}

/** Reads the first value of the first row as a number. */
export function numberIn(rows: readonly Row[]): number {
  return Number(rows[0]?.[0] ?? 0);
}

/** Reads rows of a status and how often it occurs. */
export function statusCounts(rows: readonly Row[]): ReadonlyMap<string, number> {
  return new Map(rows.map(([status, count]) => [String(status), Number(count)]));
}
