import type { Difference } from './changes.ts';
import { fieldOf } from './json-value.ts';

/** What comparing a definition with what the service has comes to. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** Fields of the definition that the service did not return. */
  readonly uncompared: readonly string[];
}

/**
 * Compares fields, those of `wanted` with its defaults filled in. A field the service did not return can't be
 * compared; null is what it says of one that was never set, so it means the default.
 */
export function compareFields(
  wanted: object,
  actual: object,
  defaults: Readonly<Record<string, unknown>>,
): Comparison {
  const differences: Difference[] = [];
  const uncompared: string[] = [];
  for (const [field, fallback] of Object.entries(defaults)) {
    const given = fieldOf(wanted, field);
    const to = given ?? fallback;
    const from = fieldOf(actual, field);
    if (from === undefined) {
      if (given !== undefined) uncompared.push(field);
    } else if (!isEqual(from ?? fallback, to)) {
      differences.push({ field, from, to });
    }
  }
  return { differences, uncompared };
}

/** Equality of a value of the service and one of a definition: a text, number, boolean or null, or a list of them. */
export function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
