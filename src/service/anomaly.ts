/** How a value stands against the earlier ones. */
export interface Deviation {
  /** Distance from the mean in standard deviations; null where history or value give none. */
  readonly z_score: number | null;
  readonly is_anomaly: boolean;
}

/** Fewer earlier values than this say nothing. */
const shortestHistory = 5;

/** Values this close, relative to their size, are the same but for the order they were summed up in. */
const noise = 1e-9;

/** Judges a value by the earlier ones of the same metric and group, itself not among them. */
export function deviationOf(
  value: number | null,
  history: readonly number[],
  sensitivity: number,
): Deviation {
  if (value === null || history.length < shortestHistory) return { z_score: null, is_anomaly: false };
  const mean = history.reduce((sum, earlier) => sum + earlier / history.length, 0);
  const scale = Math.max(Math.abs(mean), Math.abs(value)) * noise;
  const largest = history.reduce((most, earlier) => Math.max(most, Math.abs(earlier - mean)), 0);
  if (largest <= scale) {
    // A constant history has no deviation to measure by: any change is an anomaly.
    return Math.abs(value - mean) <= scale
      ? { z_score: 0, is_anomaly: false }
      : { z_score: null, is_anomaly: true };
  }
  // Measured by the largest distance, as the squares of very small ones are 0.
  const squares = history.reduce((sum, earlier) => sum + ((earlier - mean) / largest) ** 2, 0);
  const z = (value - mean) / largest / Math.sqrt(squares / (history.length - 1));
  return { z_score: z, is_anomaly: Math.abs(z) > 3 / sensitivity };
}
