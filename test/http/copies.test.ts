import { expect, test, vi } from 'vitest';

import { isApiError, isDataQualityError, RuleNotFoundError } from '../../src/index.ts';

test('the guards know errors of another copy of the package, where instanceof does not', async () => {
  vi.resetModules();
  const copy = await import('../../src/index.ts');
  const call = { method: 'GET', path: '/x', attempts: 1 };
  const answer = {
    status: 404,
    message: 'm',
    details: { rule_id: 'v_1' },
    headers: new Headers(),
    requestId: undefined,
    rateLimit: undefined,
    retryAfterMs: undefined,
  };
  const error: unknown = new copy.RuleNotFoundError(call, { ...answer, code: 'RULE_NOT_FOUND' });

  expect(error).not.toBeInstanceOf(RuleNotFoundError);
  expect(isApiError(error)).toBe(true);
  expect(isApiError(error, 'RULE_NOT_FOUND')).toBe(true);
  expect(isApiError(error, 'METRIC_NOT_FOUND')).toBe(false);
  expect(isDataQualityError(error)).toBe(true);
  expect(isDataQualityError(new copy.ConfigurationError('c'))).toBe(true);
  expect(isApiError(new copy.ConfigurationError('c'))).toBe(false);
});

test.each([undefined, null, 'RULE_NOT_FOUND', 7, new Error('e'), { code: 'RULE_NOT_FOUND' }])(
  'the guards refuse %s',
  (value) => {
    expect(isApiError(value)).toBe(false);
    expect(isApiError(value, 'RULE_NOT_FOUND')).toBe(false);
    expect(isDataQualityError(value)).toBe(false);
  },
);

test('importing the package starts nothing', async () => {
  const random = vi.spyOn(Math, 'random');
  const timer = vi.spyOn(globalThis, 'setTimeout');
  const interval = vi.spyOn(globalThis, 'setInterval');
  const uuid = vi.spyOn(crypto, 'randomUUID');
  vi.resetModules();
  await import('../../src/index.ts');
  for (const spy of [random, timer, interval, uuid]) {
    const own = spy.mock.calls.length;
    expect(own).toBe(0);
  }
});
