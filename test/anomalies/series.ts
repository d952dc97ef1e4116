import { Baseline, type BaselineOptions } from '../../src/anomalies/baseline.ts';

export const day = 86_400_000;
export const start = Date.parse('2026-01-05T06:00:00Z');

/** A baseline of a daily count. */
export function dailyBaseline(options: Partial<BaselineOptions> = {}): Baseline {
  return new Baseline({ interval: day, sensitivity: 1, isCount: false, neverEmpty: false, ...options });
}

/** A baseline that has learned one value per day, and the time of the next one. */
export function learned(values: readonly number[], options: Partial<BaselineOptions> = {}) {
  const baseline = dailyBaseline(options);
  for (const [place, value] of values.entries()) baseline.learn(value, start + place * day);
  const next = start + values.length * day;
  baseline.advanceTo(next);
  return { baseline, next };
}

/** Values around a level that look random and are always the same. */
export function wobble(count: number, level = 1000, size = 10): number[] {
  return Array.from(
    { length: count },
    (_, place) => level + size * Math.sin(place * 12.9898) * Math.cos(place * 4.1),
  );
}
