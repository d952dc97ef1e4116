import { describe, expect, test } from 'vitest';

import { ConfigurationError } from '../../../src/errors/configuration-error.ts';
import {
  checkLimits,
  checkMemory,
  checkStore,
  learnsWithStore,
  type RateLimitOption,
} from '../../../src/http/pacing/rate-limit-option.ts';

const take = async () => ({ granted: 1, waitMs: 0 });
const recall = async () => undefined;
const remember = async () => {};

describe('limits', () => {
  test('are those that are named, or those of the tier', () => {
    expect(checkLimits({ perMinute: 60, perSecond: 1 })).toEqual({ perMinute: 60, perSecond: 1 });
    expect(checkLimits({ tier: 'starter' })).toEqual({ perMinute: 30, perSecond: 3 });
  });

  test.each([
    ['null', null, /must be 'auto', false, .*, not null$/],
    ['a text', 'slow', /not "slow"$/],
    ['an unknown tier', { tier: 'gold' }, /rateLimit\.tier: must be one of free_trial, .*, not "gold"$/],
    ['a tier that every object has', { tier: 'toString' }, /rateLimit\.tier.*not "toString"$/],
    ['a tier in a list', { tier: ['starter'] }, /rateLimit\.tier.*not \["starter"\]$/],
    ['no number for a minute', { perSecond: 1 }, /rateLimit\.perMinute: must be a whole number/],
    ['0 per second', { perMinute: 60, perSecond: 0 }, /rateLimit\.perSecond.*not 0$/],
    ['half a request', { perMinute: 1.5, perSecond: 1 }, /rateLimit\.perMinute.*not 1\.5$/],
    ['a number as text', { perMinute: '60', perSecond: 1 }, /rateLimit\.perMinute.*not 60$/],
    ['an infinite number', { perMinute: Infinity, perSecond: 1 }, /rateLimit\.perMinute.*not Infinity$/],
  ])('cannot be %s', (_, option, message) => {
    expect(() => checkLimits(option)).toThrow(ConfigurationError);
    expect(() => checkLimits(option)).toThrow(message);
  });
});

describe('a store', () => {
  test('has the method take, and recall and remember if it is to remember', () => {
    const store = { take, recall, remember };
    expect(checkStore({ take })).toEqual({ take });
    expect(checkMemory(store)).toBe(store);
  });

  test.each([
    ['null', null],
    ['undefined', undefined],
    ['a function', take],
    ['an empty object', {}],
    ['a take that is not a method', { take: 3 }],
  ])('cannot be %s', (_, store) => {
    expect(() => checkStore(store)).toThrow(ConfigurationError);
    expect(() => checkMemory(store)).toThrow(/rateLimit\.store: must have a method take/);
  });

  test.each([
    ['recall', { take, remember }],
    ['remember', { take, recall }],
    ['either', { take, recall: 1, remember: 1 }],
  ])('cannot remember without %s', (_, store) => {
    expect(() => checkMemory(store)).toThrow(ConfigurationError);
    expect(() => checkMemory(store)).toThrow(/must have the methods recall and remember/);
  });
});

test('only { auto: true } learns and remembers', () => {
  const asked = [{ auto: true }, { auto: false }, { auto: 'yes' }, {}, 'auto', false, null];
  expect(asked.map((option) => learnsWithStore(option as RateLimitOption))).toEqual([
    true,
    ...Array.from({ length: 6 }, () => false),
  ]);
});
