import { forecasters, type Point } from './forecasters.ts';
import { mean, median } from './quantile.ts';
import { measureSpread, type Spread } from './spread.ts';

/** What is known about a series beside its values. */
export interface BaselineOptions {
  /** Milliseconds between two captures. */
  readonly interval: number;
  /** A value is an anomaly when it is more than 3 / sensitivity spreads from what is expected. */
  readonly sensitivity: number;
  /** Whether the values are counts of rows or values. */
  readonly isCount: boolean;
  /** Whether 0 after something above it is always an anomaly: an emptied table. */
  readonly neverEmpty: boolean;
  /** The smallest and the largest value there can be: what is expected ends there. Without it there is no end. */
  readonly range?: readonly [least: number, greatest: number] | undefined;
}

/** A verdict about one value. */
export interface Judgement {
  /** The value that was expected; null after too few captures. */
  readonly expected: number | null;
  /** The smallest value that is not an anomaly; null after too few captures. */
  readonly lower: number | null;
  /** The largest value that is not an anomaly; null after too few captures. */
  readonly upper: number | null;
  /** Distance from the expected value in spreads; null after too few captures, or if no value was ever off. */
  readonly zScore: number | null;
  readonly isAnomaly: boolean;
}

interface Expectation extends Spread {
  readonly expected: number;
}

/** A value that was not expected. */
interface Anomaly extends Point {
  readonly expected: number;
}

interface Forecast {
  /** What each forecaster expects, in their order. */
  readonly all: readonly (number | undefined)[];
  /** What the best of them expects; `undefined` after too few captures. */
  readonly best: Expectation | undefined;
}

/** Fewer captures than this give no score. */
const fewest = 5;

/** How many captures, and errors of each forecaster, are remembered. */
const window = 90;

/** How many captures {@link Baseline} needs to learn again what it knew. */
export const memory = window + 40;

/** How many anomalies in a row, all to one side, make a new level. */
export const newLevelAfter = 7;

/** Beyond which distance, in spreads, values and errors are clipped before they are learned. */
const valueClip = 3;
const errorClip = 8;

/** Values this close, relative to their size, differ only in the order they were summed up in. */
const noise = 1e-9;

/**
 * What was learned from the captures of one metric and group. The latest capture is set aside until an
 * interval has passed, so that the same data that is captured again meets the same expectation.
 */
export class Baseline {
  readonly #options: BaselineOptions;
  #points: Point[] = [];
  readonly #errors: readonly number[][] = forecasters.map(() => []);
  #heldBack: Point | undefined;
  #latestNormal: number | undefined;
  /** The anomalies since the last normal value, all to one side, each with what was expected. */
  #run: Anomaly[] = [];
  #latestForecast: { readonly at: number; readonly forecast: Forecast } | undefined;

  constructor(options: BaselineOptions) {
    this.#options = options;
  }

  /** Lets time pass: learns from the capture that was set aside if its interval is over. */
  advanceTo(at: number): void {
    if (this.#heldBack !== undefined && this.#isOver(this.#heldBack, at)) this.#release();
  }

  /** Judges a value. Learns nothing from it. */
  judge(value: number, at: number): Judgement {
    return this.#judge(value, this.#forecast(at).best);
  }

  /** Whether there is something to learn from a value: it differs from the latest one, or its turn has come. */
  teaches(value: number, at: number): boolean {
    const latest = this.#heldBack;
    if (latest === undefined || this.#isOver(latest, at)) return true;
    return value !== latest.value && !this.judge(value, at).isAnomaly;
  }

  /** Lets time pass, judges a value, and sets it aside to learn from it later if it teaches something. */
  learn(value: number, at: number): Judgement {
    this.advanceTo(at);
    const judgement = this.judge(value, at);
    if (!this.teaches(value, at)) return judgement;
    this.#release();
    this.#heldBack = { value, at };
    this.#latestForecast = undefined;
    return judgement;
  }

  /** Learns that a value is normal from now on, whatever came before. */
  accept(value: number, at: number): void {
    this.advanceTo(at);
    this.#heldBack = undefined;
    this.#latestForecast = undefined;
    const expected = this.#forecast(at).best?.expected ?? value;
    this.#moveTo([{ value, at, expected }]);
  }

  #release(): void {
    const point = this.#heldBack;
    if (point === undefined) return;
    this.#heldBack = undefined;
    this.#latestForecast = undefined;
    const { value, at } = point;
    const forecast = this.#forecast(at);
    const { isAnomaly } = this.#judge(value, forecast.best);
    // An emptied table says nothing about the table, however long it stays empty.
    if (this.#isEmptied(value)) return;
    if (!isAnomaly || forecast.best === undefined) {
      this.#latestNormal = value;
      this.#run = [];
      this.#add(point, forecast, value);
      return;
    }
    this.#add(
      this.#clip(point, forecast.best, valueClip),
      forecast,
      this.#clip(point, forecast.best, errorClip).value,
    );
    const { expected } = forecast.best;
    if (this.#run.some((other) => other.value > other.expected !== value > expected)) this.#run = [];
    this.#run.push({ value, at, expected });
    if (this.#run.length >= newLevelAfter) this.#moveTo(this.#run);
  }

  #judge(value: number, best: Expectation | undefined): Judgement {
    const isEmptied = this.#isEmptied(value);
    if (best === undefined)
      return { expected: null, lower: null, upper: null, zScore: null, isAnomaly: isEmptied };
    const { expected, below, above } = best;
    const limit = 3 / this.#options.sensitivity;
    const band = {
      expected: this.#within(expected),
      lower: finite(this.#within(expected - limit * below)),
      upper: finite(this.#within(expected + limit * above)),
    };
    const off = value - expected;
    if (Math.abs(off) <= Math.max(Math.abs(value), Math.abs(expected)) * noise) {
      return { ...band, zScore: 0, isAnomaly: isEmptied };
    }
    const zScore = finite(off / (off < 0 ? below : above));
    return { ...band, zScore, isAnomaly: isEmptied || zScore === null || Math.abs(zScore) > limit };
  }

  #within(value: number): number {
    const [least, greatest] = this.#options.range ?? [-Infinity, Infinity];
    return Math.min(Math.max(value, least), greatest);
  }

  #isEmptied(value: number): boolean {
    return this.#options.neverEmpty && value === 0 && (this.#latestNormal ?? 0) > 0;
  }

  #isOver({ at: began }: Point, at: number): boolean {
    // A schedule is not exact to the second.
    return at - began >= 0.9 * this.#options.interval;
  }

  #clip({ value, at }: Point, { expected, below, above }: Expectation, spreads: number): Point {
    // A low sensitivity must not clip what it calls normal; a high one must not shrink the spread it is measured by.
    const edge = spreads / Math.min(1, this.#options.sensitivity);
    return { value: Math.min(Math.max(value, expected - edge * below), expected + edge * above), at };
  }

  #add(point: Point, forecast: Forecast, forErrors: number): void {
    for (const [index, expected] of forecast.all.entries()) {
      const errors = this.#errors[index];
      const error = forErrors - (expected ?? Number.NaN);
      if (errors === undefined || !Number.isFinite(error)) continue;
      errors.push(error);
      if (errors.length > window) errors.shift();
    }
    this.#points.push(point);
    if (this.#points.length > window) this.#points.shift();
    this.#latestForecast = undefined;
  }

  /** Moves the earlier captures to the level of the latest ones, so that their season and their spread are kept. */
  #moveTo(latest: readonly Anomaly[]): void {
    const earlier = this.#points.slice(0, this.#points.length - this.#run.length);
    const ratio = median(latest.map(({ value, expected }) => value / expected));
    const shift = median(latest.map(({ value, expected }) => value - expected));
    const scales =
      ratio >= 0 && Number.isFinite(ratio) && [...earlier, ...latest].every(({ value }) => value >= 0);
    const moved = earlier.map(({ value, at }) => ({ value: scales ? value * ratio : value + shift, at }));
    this.#run = [];
    this.#points = [];
    for (const errors of this.#errors) errors.length = 0;
    for (const { value, at } of [...moved, ...latest]) this.#add({ value, at }, this.#forecast(at), value);
    this.#latestNormal = latest.at(-1)?.value;
  }

  #forecast(at: number): Forecast {
    // A capture is judged, then asked what it teaches: both need the same forecast.
    if (this.#latestForecast?.at !== at) this.#latestForecast = { at, forecast: this.#makeForecast(at) };
    return this.#latestForecast.forecast;
  }

  #makeForecast(at: number): Forecast {
    const points = this.#points;
    if (points.length < 2) return { all: [], best: undefined };
    const all = forecasters.map((forecaster) => forecaster(points, at, this.#options.interval));
    const captures = points.length + (this.#heldBack === undefined ? 0 : 1);
    return { all, best: captures < fewest ? undefined : this.#choose(all) };
  }

  #choose(forecasts: readonly (number | undefined)[]): Expectation | undefined {
    let best:
      { readonly expected: number; readonly errors: readonly number[]; readonly size: number } | undefined;
    for (const [index, expected] of forecasts.entries()) {
      const errors = this.#errors[index] ?? [];
      // One that has hardly ever been tried was perhaps only lucky.
      if (expected === undefined || !Number.isFinite(expected) || errors.length < this.#points.length * 0.4)
        continue;
      const size = mean(errors.map(Math.abs));
      if (best === undefined || size < best.size) best = { expected, errors, size };
    }
    if (best === undefined) return undefined;
    const { expected, errors } = best;
    const usualChange = median(
      this.#points.slice(1).map(({ value }, at) => Math.abs(value - (this.#points[at]?.value ?? 0))),
    );
    return { expected, ...measureSpread(errors, { expected, usualChange, isCount: this.#options.isCount }) };
  }
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
