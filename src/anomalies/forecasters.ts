import { mean, median } from './quantile.ts';

/** A value to learn from, and when it was captured. */
export interface Point {
  /** What was captured, clipped to the edge of what was expected if it was far off. */
  readonly value: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Returns the value expected at a time after the last point; `undefined` if the points do not cover enough. */
type Forecaster = (points: readonly Point[], at: number, interval: number) => number | undefined;

const day = 86_400_000;
const week = 7 * day;

/** The median of the latest captures: a level without season or growth. */
const level =
  (window: number): Forecaster =>
  (points) =>
    median(points.slice(-window).map(({ value }) => value));

/** A mean that counts later captures for more: a level that moves. */
const smoothed =
  (weight: number): Forecaster =>
  (points) => {
    const [first, ...later] = points;
    return later.reduce((value, point) => value * (1 - weight) + point.value * weight, first?.value ?? 0);
  };

const last: Forecaster = (points) => points.at(-1)?.value;

/** How many of the latest changes are averaged. */
const driftWindow = 28;

/** The last value plus the mean change of the latest captures: steady growth. */
const drift: Forecaster = (points) => {
  const latest = points.slice(-driftWindow - 1);
  const [first, newest] = [latest[0], latest.at(-1)];
  if (first === undefined || newest === undefined || latest.length < 3) return undefined;
  return newest.value + (newest.value - first.value) / (latest.length - 1);
};

/** The same weekday or hour of earlier weeks or days. */
const season =
  (period: number): Forecaster =>
  (points, at, interval) => {
    const places = sameTime(points, { at, interval, period });
    return places.length < 2 ? undefined : median(places.map((place) => points[place]?.value ?? 0));
  };

/** The last value plus what usually changes from the capture before to this weekday or hour: growth with a season. */
const seasonalGrowth =
  (period: number): Forecaster =>
  (points, at, interval) => {
    const newest = points.at(-1);
    const changes = sameTime(points, { at, interval, period })
      .filter((place) => place > 0)
      .map((place) => (points[place]?.value ?? 0) - (points[place - 1]?.value ?? 0));
    return newest === undefined || changes.length < 2 ? undefined : newest.value + median(changes);
  };

/** The same weekday or hour, moved by how far the last week or day lies from the one before. */
const seasonWithDrift =
  (period: number): Forecaster =>
  (points, at, interval) => {
    const places = sameTime(points, { at, interval, period });
    const steps = Math.round(period / interval);
    if (places.length < 2 || points.length < 2 * steps) return undefined;
    const values = points.map(({ value }) => value);
    const moved = mean(values.slice(-steps)) - mean(values.slice(-2 * steps, -steps));
    // The median of the last seasons lies half as many seasons back as there are, and a half.
    return median(places.map((place) => points[place]?.value ?? 0)) + (moved * (places.length + 1)) / 2;
  };

/** Simple ways to foresee the next value. The one that was nearest on a series is used for it. */
export const forecasters: readonly Forecaster[] = [
  level(90),
  level(14),
  smoothed(0.3),
  last,
  drift,
  ...[day, week].flatMap((period) => [season(period), seasonalGrowth(period), seasonWithDrift(period)]),
];

/** How many seasons are looked back on. */
const seasons = 4;

/** Finds the captures one season before a time, two and so on, as places among the points. */
function sameTime(
  points: readonly Point[],
  { at, interval, period }: { readonly at: number; readonly interval: number; readonly period: number },
): readonly number[] {
  const places: number[] = [];
  if (period < 2 * interval) return places;
  let place = points.length - 1;
  for (let back = 1; back <= seasons; back += 1) {
    const wanted = at - back * period;
    const distance = (index: number) => Math.abs((points[index]?.at ?? Number.NEGATIVE_INFINITY) - wanted);
    while (place > 0 && distance(place - 1) <= distance(place)) place -= 1;
    if (distance(place) > interval / 2) break;
    places.push(place);
  }
  return places;
}
