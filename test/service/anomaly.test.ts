import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { deviationOf } from '../../src/service/anomaly.ts';

const calm = { z_score: null, is_anomaly: false };

test('fewer than five earlier values say nothing', () => {
  expect(deviationOf(1000, [1, 2, 3, 4], 1)).toEqual(calm);
  expect(deviationOf(1000, [1, 2, 3, 4, 5], 1)).toMatchObject({ is_anomaly: true });
});

test('no value is no anomaly', () => {
  expect(deviationOf(null, [1, 2, 3, 4, 5], 1)).toEqual(calm);
});

test('the z-score is the distance in sample standard deviations', () => {
  // Mean 3, squares 4 + 1 + 0 + 1 + 4 = 10, deviation √(10 / 4).
  expect(deviationOf(6, [1, 2, 3, 4, 5], 1).z_score).toBeCloseTo(3 / Math.sqrt(2.5), 12);
  expect(deviationOf(0, [1, 2, 3, 4, 5], 1).z_score).toBeCloseTo(-3 / Math.sqrt(2.5), 12);
});

test('beyond 3 / sensitivity it is an anomaly', () => {
  const history = [1, 2, 3, 4, 5];
  expect(deviationOf(6, history, 1).is_anomaly).toBe(false);
  expect(deviationOf(6, history, 2).is_anomaly).toBe(true);
  expect(deviationOf(8, history, 1).is_anomaly).toBe(true);
  expect(deviationOf(8, history, 0.5).is_anomaly).toBe(false);
});

test('a constant history that changes is an anomaly, one that goes on is none', () => {
  expect(deviationOf(7, [7, 7, 7, 7, 7], 1)).toEqual({ z_score: 0, is_anomaly: false });
  expect(deviationOf(7.1, [7, 7, 7, 7, 7], 1)).toEqual({ z_score: null, is_anomaly: true });
  expect(deviationOf(1, [0, 0, 0, 0, 0], 1)).toEqual({ z_score: null, is_anomaly: true });
});

test('a sum in another order is no change', () => {
  const history = Array.from({ length: 6 }, () => 0.3);
  expect(deviationOf(0.1 + 0.2, history, 1)).toEqual({ z_score: 0, is_anomaly: false });
});

test('the result is finite, whatever the values', () => {
  const value = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e150, max: 1e150 });
  fc.assert(
    fc.property(value, fc.array(value, { minLength: 5, maxLength: 40 }), (current, history) => {
      const { z_score } = deviationOf(current, history, 1);
      expect(z_score === null || Number.isFinite(z_score)).toBe(true);
    }),
    { numRuns: 2000, examples: [[0, [0, 0, 0, 0, 5e-324]]] },
  );
});
