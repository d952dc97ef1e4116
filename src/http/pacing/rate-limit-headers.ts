import type { RateLimit } from '../../errors/rate-limit.ts';

/** Clocks further apart than this are corrected by the response's `Date`, which itself is up to a second old. */
const tolerableSkewMs = 2000;
/** As seconds this is September 2001, as seconds to go it is 31 years. */
const leastEpochSeconds = 1e9;
/** As ms this is September 2001, as seconds it is the year 33658. */
const leastEpochMs = 1e12;

/**
 * The rate limit that a response announces in its `X-RateLimit-*` headers; `undefined` if
 * one of the three is missing or not a number. `now` is the time of the response, in ms since 1970.
 *
 * The interface does not say how the reset is written: seconds since 1970, ms since 1970 and seconds to go are
 * distinguished by their size.
 */
export function parseRateLimit(headers: Headers, now: number): RateLimit | undefined {
  const limit = count(headers.get('x-ratelimit-limit'));
  if (limit === undefined) return undefined;
  const remaining = count(headers.get('x-ratelimit-remaining'));
  const reset = count(headers.get('x-ratelimit-reset'));
  if (remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, resetAt: new Date(resetTime(reset, headers, now)) };
}

/** A number that is at least 0; some services write `25.0`, and some add a policy: `25, 25;w=1`. */
function count(header: string | null): number | undefined {
  const text = header?.split(',', 1)[0]?.trim();
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function resetTime(reset: number, headers: Headers, now: number): number {
  if (reset < leastEpochSeconds) return now + reset * 1000;
  const serviceTime = Date.parse(headers.get('date') ?? '');
  const skew = Math.abs(serviceTime - now) > tolerableSkewMs ? serviceTime - now : 0;
  // A number this large is still a date that JavaScript can represent, whatever was sent.
  return Math.min(reset < leastEpochMs ? reset * 1000 : reset, 8e15) - skew;
}
