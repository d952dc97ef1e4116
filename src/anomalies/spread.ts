import { ascending, median, quantile } from './quantile.ts';

/** How far a value is usually off, as one standard deviation would say it. */
export interface Spread {
  /** Of values below what is expected. */
  readonly below: number;
  /** Of values above what is expected. */
  readonly above: number;
}

/** How far a series is expected to be off at least, relative to its level: a constant 195 may become 196. */
const floor = 0.002;

/** The same for something that is counted, in counts: a constant 20 may become 21. */
const floorOfCounts = 0.4;

/**
 * Measures how far forecasts are off: the scaled median, or the tail if that is longer, on its own side or on both.
 * Sales that peak now and then rarely fall, so that a fall is more unusual than a peak. The figures were
 * found on the tuned half of the series in the benchmark.
 */
export function measureSpread(
  errors: readonly number[],
  {
    expected,
    usualChange,
    isCount,
  }: { readonly expected: number; readonly usualChange: number; readonly isCount: boolean },
): Spread {
  const sizes = errors.map(Math.abs).toSorted(ascending);
  const longest = 0.9 * quantile(sizes, 0.98);
  // What always changes is not constant: a floor by its level would hide that it stopped growing.
  const least =
    usualChange > 0 ? Math.min(floor * Math.abs(expected), usualChange / 4) : floor * Math.abs(expected);
  const side = (sign: number): number => {
    const tail = quantile(errors.map((error) => Math.max(0, sign * error)).toSorted(ascending), 0.99);
    return Math.max(
      1.4826 * median(sizes),
      Math.max(tail, longest) / 2.6,
      least,
      isCount ? floorOfCounts : 0,
    );
  };
  return { below: side(-1), above: side(1) };
}
