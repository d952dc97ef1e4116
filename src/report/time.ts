/** A date and time without a zone, which `Date.parse` would read as local time. */
const withoutZone = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/;

/** Reads a timestamp into milliseconds; one without a zone is UTC. Returns `undefined` if it is not a timestamp. */
export function parseTimestamp(timestamp: unknown): number | undefined {
  if (typeof timestamp !== 'string') return undefined;
  const text = timestamp.trim();
  const time = Date.parse(withoutZone.test(text) ? `${text.replace(' ', 'T')}Z` : text);
  return Number.isNaN(time) ? undefined : time;
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'medium' });

/** Writes a day, as `9 Nov 2026`. */
export function formatDay(time: number): string {
  return dayFormat.format(time);
}

/** Writes a moment of UTC, as `9 Nov 2026, 14:05`. */
export function formatMoment(time: number): string {
  return `${formatDay(time)}, ${new Date(time).toISOString().slice(11, 16)}`;
}

const scale = [
  [60_000, 'min', 2 * 3_600_000],
  [3_600_000, 'h', 2 * 86_400_000],
  [86_400_000, 'd', Number.POSITIVE_INFINITY],
] as const;

/** Writes durations in the unit that suits the largest of them, so that they can be compared. */
export function formatDurations(milliseconds: readonly number[]): readonly string[] {
  const largest = Math.max(0, ...milliseconds.map(Math.abs));
  const [divisor, unit] = scale.find(([, , below]) => largest < below) ?? scale[2];
  return milliseconds.map((duration) => {
    const value = duration / divisor;
    return `${Number(value.toFixed(Math.abs(value) < 10 ? 1 : 0)).toLocaleString('en-US')} ${unit}`;
  });
}
