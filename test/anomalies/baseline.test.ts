import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { baselineOf } from '../../src/anomalies/metric-baseline.ts';
import { day, learned, start, wobble } from './series.ts';

const calm = { expected: null, lower: null, upper: null, zScore: null, isAnomaly: false };

const bandWidth = (sensitivity: number) => {
  const { baseline, next } = learned(wobble(40), { sensitivity });
  const { lower, upper } = baseline.judge(1000, next);
  return Number(upper) - Number(lower);
};

describe('judges a value by', () => {
  test('nothing before the fifth capture', () => {
    const four = learned([1, 2, 3, 4]);
    expect(four.baseline.judge(1000, four.next)).toEqual(calm);
    const five = learned([1, 2, 3, 4, 5]);
    expect(five.baseline.judge(1000, five.next)).toMatchObject({ isAnomaly: true });
  });

  test('its distance from the expected value, in spreads, with a band that says where anomalies begin', () => {
    const { baseline, next } = learned(wobble(40));
    const { expected, lower, upper } = baseline.judge(1000, next);
    expect(Math.abs(Number(expected) - 1000)).toBeLessThan(20);
    const edge = Number(upper);
    expect(baseline.judge(edge - 0.01, next)).toMatchObject({ isAnomaly: false });
    expect(baseline.judge(edge + 0.01, next)).toMatchObject({ isAnomaly: true });
    expect(baseline.judge(edge, next).zScore).toBeCloseTo(3, 9);
    expect(baseline.judge(Number(lower), next).zScore).toBeCloseTo(-3, 9);
  });

  test('a narrower band the higher the sensitivity', () => {
    expect(bandWidth(2)).toBeLessThan(bandWidth(1));
    expect(bandWidth(1)).toBeLessThan(bandWidth(0.5));
  });

  test('its weekday', () => {
    const week = [100, 110, 105, 100, 108, 40, 30];
    const { baseline, next } = learned(
      Array.from({ length: 56 }, (_, place) => (week[place % 7] ?? 0) + (place % 3)),
    );
    expect(baseline.judge(101, next)).toMatchObject({ isAnomaly: false });
    expect(baseline.judge(50, next)).toMatchObject({ isAnomaly: true });
    expect(baseline.judge(40, next + 5 * day)).toMatchObject({ isAnomaly: false });
    expect(baseline.judge(100, next + 5 * day)).toMatchObject({ isAnomaly: true });
  });

  test('the growth before it: a table that stops growing or is halved stands out', () => {
    const growth = wobble(40, 100, 10);
    let total = 2_500_000;
    const { baseline, next } = learned(
      growth.map((rows) => (total += rows)),
      { isCount: true },
    );
    expect(baseline.judge(total + 100, next)).toMatchObject({ isAnomaly: false });
    expect(baseline.judge(total, next)).toMatchObject({ isAnomaly: true });
    expect(baseline.judge(total * 0.59, next)).toMatchObject({ isAnomaly: true });
  });
});

describe('a constant history', () => {
  const constant = Array.from({ length: 30 }, () => 195);

  test('lets a count change by one, once or for good', () => {
    const { baseline, next } = learned(constant, { isCount: true });
    for (let again = 0; again < 10; again += 1) {
      expect(baseline.learn(196, next + again * day)).toMatchObject({ isAnomaly: false });
    }
  });

  test('makes anomalies of larger changes', () => {
    const { baseline, next } = learned(constant, { isCount: true });
    expect(baseline.judge(199, next)).toMatchObject({ isAnomaly: true });
    expect(baseline.judge(190, next)).toMatchObject({ isAnomaly: true });
  });

  test('of zeros has no spread: a share that is suddenly there is an anomaly without a score', () => {
    const { baseline, next } = learned(Array.from({ length: 30 }, () => 0));
    expect(baseline.judge(0, next)).toMatchObject({ isAnomaly: false, zScore: 0 });
    expect(baseline.judge(0.5, next)).toMatchObject({ isAnomaly: true, zScore: null });
  });

  test('sums in another order are not a change', () => {
    const { baseline, next } = learned(Array.from({ length: 9 }, () => 0.3));
    expect(baseline.judge(0.1 + 0.2, next)).toMatchObject({ zScore: 0, isAnomaly: false });
  });
});

describe('learns', () => {
  test('nothing from a repeated capture of the same bad data, however often', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.9, max: 1.1, noNaN: true }), { minLength: 5, maxLength: 30 }),
        fc.constantFrom(0, 0.3, 0.5, 0.8, 1.2, 2, 10),
        fc.integer({ min: 1, max: 60 }),
        (around, factor, minutes) => {
          const { baseline, next } = learned(around.map((value) => value * 1000));
          const bad = 1000 * factor;
          const first = baseline.learn(bad, next);
          fc.pre(first.isAnomaly);
          for (let again = 1; again <= 20; again += 1) {
            expect(baseline.learn(bad, next + again * minutes * 60_000)).toEqual(first);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  test('nothing from bad data that changes a little from capture to capture of one day', () => {
    const { baseline, next } = learned(wobble(30));
    for (let again = 0; again < 40; again += 1) {
      expect(baseline.learn(500 + again, next + again * 60_000)).toMatchObject({ isAnomaly: true });
    }
  });

  test('nothing from a capture of the same growing table an hour later', () => {
    const { baseline, next } = learned(
      Array.from({ length: 30 }, (_, place) => 1000 + place * 100),
      { isCount: true },
    );
    expect(baseline.learn(4000, next)).toMatchObject({ isAnomaly: false });
    expect(baseline.learn(4000, next + 3_600_000)).toMatchObject({ isAnomaly: false });
    expect(baseline.learn(4100, next + day)).toMatchObject({ isAnomaly: false });
    expect(baseline.learn(4100, next + 2 * day)).toMatchObject({ isAnomaly: true });
  });

  test('once per interval from a number that does not change', () => {
    const once = learned(wobble(30));
    const often = learned(wobble(30));
    once.baseline.learn(1001, once.next);
    for (let again = 0; again < 10; again += 1) often.baseline.learn(1001, often.next + again * 3_600_000);
    expect(often.baseline.learn(1010, often.next + day)).toEqual(once.baseline.learn(1010, once.next + day));
  });

  test('a new level after about seven intervals', () => {
    const { baseline, next } = learned(wobble(40));
    const days = Array.from(
      { length: 20 },
      (_, place) => baseline.learn(500 + (place % 3), next + place * day).isAnomaly,
    );
    const held = days.indexOf(false);
    expect(held).toBeGreaterThanOrEqual(3);
    expect(held).toBeLessThanOrEqual(8);
    expect(days.slice(held)).not.toContain(true);
    expect(baseline.judge(1000, next + 20 * day)).toMatchObject({ isAnomaly: true });
  });

  test('a new level at once if it is accepted, with the season kept', () => {
    const week = [100, 110, 105, 100, 108, 40, 30];
    const { baseline, next } = learned(
      Array.from({ length: 56 }, (_, place) => (week[place % 7] ?? 0) + (place % 3)),
    );
    expect(baseline.judge(200, next)).toMatchObject({ isAnomaly: true });
    baseline.accept(200, next);
    expect(baseline.judge(220, next + day)).toMatchObject({ isAnomaly: false });
    expect(baseline.judge(80, next + 5 * day)).toMatchObject({ isAnomaly: false });
    expect(baseline.judge(110, next + day)).toMatchObject({ isAnomaly: true });
  });

  test('that an emptied table is empty only if it is accepted', () => {
    const { baseline, next } = learned([3, 5, 4], { isCount: true, neverEmpty: true });
    for (let again = 0; again < 30; again += 1) {
      expect(baseline.learn(0, next + again * day)).toMatchObject({ isAnomaly: true });
    }
    expect(baseline.judge(4, next + 30 * day)).toMatchObject({ isAnomaly: false });
    baseline.accept(0, next + 30 * day);
    expect(baseline.learn(0, next + 31 * day)).toMatchObject({ isAnomaly: false });
  });

  test('to expect again what was normal before a short outage', () => {
    const { baseline, next } = learned(wobble(40), { isCount: true, neverEmpty: true });
    for (let out = 0; out < 5; out += 1) baseline.learn(0, next + out * day);
    expect(baseline.judge(1003, next + 5 * day)).toMatchObject({ isAnomaly: false });
  });
});

describe('whatever the values', () => {
  test('nothing is NaN or infinite', () => {
    const value = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(0, -0, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 1e-300),
    );
    fc.assert(
      fc.property(
        value,
        fc.array(value, { minLength: 5, maxLength: 25 }),
        fc.constantFrom(0.01, 1, 100),
        fc.boolean(),
        (current, history, sensitivity, isCount) => {
          const { baseline, next } = learned(history, { sensitivity, isCount });
          const judgement = baseline.judge(current, next);
          for (const found of [judgement.expected, judgement.lower, judgement.upper, judgement.zScore]) {
            expect(found === null || Number.isFinite(found)).toBe(true);
          }
        },
      ),
      { numRuns: 300, examples: [[0, [0, 0, 0, 0, 5e-324], 1, false]] },
    );
  });

  test('a change of scale changes no verdict', () => {
    const values = wobble(30);
    fc.assert(
      fc.property(
        fc.integer({ min: -200, max: 200 }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        (power, factor) => {
          const scale = 2 ** power;
          const plain = learned(values);
          const scaled = learned(values.map((value) => value * scale));
          const verdict = plain.baseline.judge(1000 * factor, plain.next);
          const other = scaled.baseline.judge(1000 * factor * scale, scaled.next);
          expect(other.isAnomaly).toBe(verdict.isAnomaly);
          expect(other.zScore).toBeCloseTo(Number(verdict.zScore), 6);
        },
      ),
    );
  });

  test('a shift changes no verdict, while the spread is above its floor', () => {
    const values = wobble(30, 0, 100);
    fc.assert(
      fc.property(
        fc.integer({ min: -5000, max: 5000 }),
        fc.integer({ min: -1000, max: 1000 }),
        (shift, current) => {
          const plain = learned(values);
          const shifted = learned(values.map((value) => value + shift));
          const { zScore } = plain.baseline.judge(current, plain.next);
          expect(shifted.baseline.judge(current + shift, shifted.next).zScore).toBeCloseTo(Number(zScore), 6);
        },
      ),
    );
  });

  test('the expected band of a count or a percentage ends where its values end, and no verdict changes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('row_count', 'distinct_count', 'duplicate_count', 'null_percent'),
        fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 5, maxLength: 25 }),
        fc.integer({ min: 0, max: 100 }),
        (metric_type, history, current) => {
          const bounded = baselineOf({ metric_type }, true);
          const isCount = metric_type !== 'null_percent';
          const { baseline: unbounded, next } = learned(history, { isCount });
          for (const [at, value] of history.entries()) bounded.learn(value, start + at * day);
          bounded.advanceTo(next);
          const { lower, expected, upper, ...verdict } = bounded.judge(current, next);
          const { isAnomaly, zScore } = unbounded.judge(current, next);
          expect(verdict).toEqual({ isAnomaly, zScore });
          const greatest = isCount ? Infinity : 100;
          for (const each of [lower, expected, upper]) {
            expect(Number(each)).toBeGreaterThanOrEqual(0);
            expect(Number(each)).toBeLessThanOrEqual(greatest);
          }
        },
      ),
    );
  });

  test('judging changes nothing', () => {
    const { baseline, next } = learned(wobble(30));
    const before = baseline.judge(1005, next);
    for (let again = 0; again < 50; again += 1) baseline.judge(again * 1000, start + again * day);
    expect(baseline.judge(1005, next)).toEqual(before);
  });
});
