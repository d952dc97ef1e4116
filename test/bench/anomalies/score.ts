import type { Rule } from './rules.ts';
import type { Series } from './series.ts';

/** How a rule did on a series. */
export interface Score {
  /** Days judged. */
  readonly days: number;
  readonly falseAlarms: number;
  /** Days on which half of the value would have been seen. */
  readonly halved: number;
  /** Days on which 0 would have been seen. */
  readonly emptied: number;
  /** Of a growing series, how many stops were tried and how many were seen within 7 intervals. */
  readonly stops: number;
  readonly stopsSeen: number;
}

/** Captures before the first that is judged. */
const warmUp = 30;

/** Plays a series to a rule, capture by capture. */
export function score(series: Series, create: (series: Series) => Rule): Score {
  const { values, interval, kind } = series;
  const at = (place: number) => Date.UTC(2020, 0, 6) + place * interval;
  const rule = create(series);
  const result = { days: 0, falseAlarms: 0, halved: 0, emptied: 0, stops: 0, stopsSeen: 0 };
  for (const [place, value] of values.entries()) {
    if (place >= warmUp) {
      result.days += 1;
      result.falseAlarms += Number(rule.isAnomaly(value, at(place)));
      result.halved += Number(rule.isAnomaly(value / 2, at(place)));
      result.emptied += Number(rule.isAnomaly(0, at(place)));
    }
    rule.learn(value, at(place));
  }
  if (kind !== 'growing') return result;
  for (let stop = warmUp; stop < values.length - 7; stop += Math.ceil(values.length / 20)) {
    const stopped = create(series);
    for (let place = 0; place < stop; place += 1) stopped.learn(values[place] ?? 0, at(place));
    const standing = values[stop - 1] ?? 0;
    result.stops += 1;
    for (let place = stop; place < stop + 7; place += 1) {
      if (stopped.isAnomaly(standing, at(place))) {
        result.stopsSeen += 1;
        break;
      }
      stopped.learn(standing, at(place));
    }
  }
  return result;
}
