const hour = 3_600_000;

const intervals: Readonly<Record<string, number>> = { hourly: hour, daily: 24 * hour, weekly: 168 * hour };

/** Returns the milliseconds between two captures or checks; of an interval that is not known, as if it were daily. */
export function intervalMs(interval: string | null | undefined): number {
  return intervals[interval ?? 'daily'] ?? 24 * hour;
}
