import { expect, test } from 'vitest';

import { formatMeasured } from '../../src/judgement/number.ts';

test.each([
  [18.900343642611684, '18.9003'],
  [1038.77002, '1,038.77'],
  [1_234_567.891, '1,234,567.89'],
  [2_330_830_000, '2,330,830,000'],
  [-0.000_123_456_7, '-0.000123457'],
  [1e-9, '1e-9'],
  [0, '0'],
])('writes %d as %s', (value, text) => {
  expect(formatMeasured(value)).toBe(text);
});
