import { describe, expect, it } from 'vitest';

import { parseRetryAfter } from '../../src/http/headers.ts';

const now = Date.UTC(2026, 2, 1, 12, 0, 0);

function parse(retryAfter: string, date?: number): number | undefined {
  const headers = new Headers({ 'Retry-After': retryAfter });
  if (date !== undefined) headers.set('Date', new Date(date).toUTCString());
  return parseRetryAfter(headers, now);
}

describe('parseRetryAfter', () => {
  it.each([
    ['120', 120_000],
    ['0.5', 500],
    ['+5', 5000],
    ['1, 2', 2000],
    ['Sun, 01 Mar 2026 12:00:03 GMT', 3000],
    ['Sunday, 01-Mar-26 12:00:03 GMT', 3000],
    ['Sun Mar  1 12:00:03 2026 GMT', 3000],
    ['2026-03-01T12:00:03Z', 3000],
  ])('reads %j', (header, ms) => {
    expect(parse(header)).toBe(ms);
  });

  it.each(['-1', '0', '0, 0', '1 2', '1;2', '', 'soon', '5s', 'Sun, 01 Mar 2026 11:59:59 GMT'])(
    'returns undefined for %j, so that the caller backs off',
    (header) => {
      expect(parse(header)).toBeUndefined();
    },
  );

  it.each([10_000, 3_600_000, -3_600_000])('corrects a date when our clock is %i ms ahead', (ahead) => {
    const service = now - ahead;
    expect(parse(new Date(service + 3000).toUTCString(), service)).toBe(3000);
  });
});
