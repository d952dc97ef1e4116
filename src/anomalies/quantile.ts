/** Returns the middle of some numbers; `NaN` for an empty list. */
export function median(values: readonly number[]): number {
  return quantile(values.toSorted(ascending), 0.5);
}

/** Returns the value below which this part of sorted numbers lies, interpolated; `NaN` for an empty list. */
export function quantile(sorted: readonly number[], part: number): number {
  const place = (sorted.length - 1) * part;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  const weight = place - Math.floor(place);
  // Not low + weight * (high - low): the difference of two large numbers may be infinite.
  return low * (1 - weight) + high * weight;
}

/** Returns the mean of some numbers; 0 for an empty list. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value / values.length, 0);
}

/** Compares numbers for sorting. */
export function ascending(a: number, b: number): number {
  return a - b;
}
