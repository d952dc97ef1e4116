import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { fit } from '../../src/mcp/fit.ts';

test('leaves what fits as it is', () => {
  const value = { items: [1, 2, 3], text: 'x'.repeat(1000) };
  expect(fit(value, 2000)).toEqual({ value, cuts: [] });
});

test('cuts the longest list first and counts what is left', () => {
  const points = Array.from({ length: 1000 }, (_, at) => ({ at }));
  const { value, cuts } = fit({ days: ['a', 'b'], points }, 4000);
  expect(value).toEqual({ days: ['a', 'b'], points: points.slice(0, 250) });
  expect(cuts).toEqual([{ path: 'points', shown: 250, total: 1000, unit: 'items' }]);
});

test('cuts a long text if no list is left to cut', () => {
  const { value, cuts } = fit({ items: [{ name: 'x'.repeat(10_000) }] }, 4000);
  expect(JSON.stringify(value).length).toBeLessThan(4000);
  expect(cuts).toEqual([{ path: 'items.0.name', shown: 2501, total: 10_000, unit: 'characters' }]);
});

test('does not change what it is given, and ends for any value', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const before = JSON.stringify(value);
      const { value: fitting } = fit(value, 100);
      expect(JSON.stringify(value)).toBe(before);
      expect(JSON.stringify(fitting).length).toBeLessThanOrEqual(before.length);
    }),
  );
});
