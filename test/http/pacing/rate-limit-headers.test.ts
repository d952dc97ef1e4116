import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseRateLimit } from '../../../src/http/pacing/rate-limit-headers.ts';

const now = Date.UTC(2026, 2, 1, 12, 0, 0);

function headers(limit: string, remaining: string, reset: string, date?: string): Headers {
  const entries = {
    'X-RateLimit-Limit': limit,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': reset,
  };
  return new Headers(date === undefined ? entries : { ...entries, Date: date });
}

describe('parseRateLimit', () => {
  it.each([
    ['seconds since 1970', String(now / 1000 + 30)],
    ['ms since 1970', String(now + 30_000)],
    ['seconds to go', '30'],
  ])('reads a reset in %s', (_, reset) => {
    expect(parseRateLimit(headers('500', '499', reset), now)).toEqual({
      limit: 500,
      remaining: 499,
      resetAt: new Date(now + 30_000),
    });
  });

  it('takes the wait from the clock of the service if ours is wrong', () => {
    const serviceNow = now - 3_600_000;
    const reset = String(serviceNow / 1000 + 30);
    const limit = parseRateLimit(headers('500', '499', reset, new Date(serviceNow).toUTCString()), now);
    expect(limit?.resetAt).toEqual(new Date(now + 30_000));
  });

  it('ignores the clock of the service if the two differ by no more than a Date header is old', () => {
    const reset = String(now / 1000 + 30);
    const limit = parseRateLimit(headers('500', '499', reset, new Date(now - 900).toUTCString()), now);
    expect(limit?.resetAt).toEqual(new Date(now + 30_000));
  });

  it.each([
    [-3000, 33_000],
    [-2000, 30_000],
    [2000, 30_000],
    [3000, 27_000],
  ])('with a Date %i ms from our clock a reset in 30 s of ours is in %i ms', (skew, wait) => {
    const date = new Date(now + skew).toUTCString();
    const limit = parseRateLimit(headers('500', '499', String(now / 1000 + 30), date), now);
    expect(limit?.resetAt).toEqual(new Date(now + wait));
  });

  it.each([
    ['999999999', now + 999_999_999_000],
    ['1000000000', Date.UTC(2001, 8, 9, 1, 46, 40)],
    ['999999999999', 999_999_999_999_000],
    ['1000000000000', Date.UTC(2001, 8, 9, 1, 46, 40)],
    ['9'.repeat(40), 8e15],
    ['1.5', now + 1500],
    ['0.25', now + 250],
  ])('tells by the size of a reset of %s what it is', (reset, time) => {
    expect(parseRateLimit(headers('500', '499', reset), now)?.resetAt.getTime()).toBe(time);
  });

  it('reads a value followed by its policy', () => {
    for (const limit of ['25, 25;w=1', '25 , 25;w=1', '25,25;w=1']) {
      expect(parseRateLimit(headers(limit, '3', '1'), now)).toMatchObject({ limit: 25, remaining: 3 });
    }
  });

  it.each([
    ['no headers', new Headers()],
    ['no reset', new Headers({ 'X-RateLimit-Limit': '5', 'X-RateLimit-Remaining': '5' })],
    ['no remaining', new Headers({ 'X-RateLimit-Limit': '5', 'X-RateLimit-Reset': '5' })],
    ['no limit', new Headers({ 'X-RateLimit-Remaining': '5', 'X-RateLimit-Reset': '5' })],
    ['a word', headers('many', '5', '1')],
    ['a unit', headers('5', '5', '1s')],
    ['a sign', headers('+5', '5', '1')],
    ['half a number', headers('5', '5.', '1')],
    ['a version', headers('1.2.3', '5', '1')],
    ['a negative number', headers('5', '-1', '1')],
    ['an empty value', headers('5', '', '1')],
  ])('returns undefined for %s', (_, given) => {
    expect(parseRateLimit(given, now)).toBeUndefined();
  });

  it('returns a valid date or undefined whatever the headers contain', () => {
    const value = fc.oneof(
      fc.stringMatching(/^[0-9.,;eEw=+ -]{0,30}$/),
      fc.nat().map(String),
      fc.bigInt({ min: 0n, max: 10n ** 40n }).map(String),
    );
    fc.assert(
      fc.property(value, value, value, value, (limit, remaining, reset, date) => {
        const parsed = parseRateLimit(headers(limit, remaining, reset, date), now);
        if (parsed === undefined) return;
        expect(parsed.resetAt.getTime()).not.toBeNaN();
        expect(parsed.limit).toBeGreaterThanOrEqual(0);
        expect(parsed.remaining).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 1000 },
    );
  });
});
