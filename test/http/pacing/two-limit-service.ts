import { parseRateLimit } from '../../../src/http/pacing/rate-limit-headers.ts';
import { parseRetryAfter } from '../../../src/http/headers.ts';
import type { Respond } from './pacing-simulation.ts';

/** Counts the requests of one window. */
interface Counter {
  readonly limit: number;
  remaining(now: number): number;
  take(now: number): void;
  /** Ms until another request is accepted. */
  untilFree(now: number): number;
  /** Ms until the announced reset. */
  untilReset(now: number): number;
}

export type WindowKind = 'fixed' | 'sliding' | 'bucket';

const counters: Readonly<
  Record<WindowKind, (limit: number, windowMs: number, offset: number, start: number) => Counter>
> = {
  fixed(limit, windowMs, offset) {
    let window = -1;
    let used = 0;
    const end = (now: number): number => windowMs - ((((now - offset) % windowMs) + windowMs) % windowMs);
    const look = (now: number): void => {
      const current = Math.floor((now - offset) / windowMs);
      if (current !== window) used = 0;
      window = current;
    };
    return {
      limit,
      remaining(now) {
        look(now);
        return limit - used;
      },
      take: () => void used++,
      untilFree: end,
      untilReset: end,
    };
  },
  sliding(limit, windowMs) {
    const times: number[] = [];
    const untilFirstLeaves = (now: number): number => (times[0] ?? now - windowMs) + windowMs - now;
    return {
      limit,
      remaining(now) {
        while ((times[0] ?? now) <= now - windowMs) times.shift();
        return limit - times.length;
      },
      take: (now) => void times.push(now),
      untilFree: untilFirstLeaves,
      untilReset: untilFirstLeaves,
    };
  },
  bucket(limit, windowMs, _offset, start) {
    let tokens = limit;
    let filledAt = start;
    return {
      limit,
      remaining(now) {
        tokens = Math.min(limit, tokens + ((now - filledAt) * limit) / windowMs);
        filledAt = now;
        return Math.floor(tokens);
      },
      take: () => void tokens--,
      untilFree: () => ((1 - tokens) / limit) * windowMs,
      untilReset: () => (((tokens < 1 ? 1 : limit) - tokens) / limit) * windowMs,
    };
  },
};

const resets = {
  'seconds to go': (ms: number) => Math.ceil(ms / 1000),
  'seconds since 1970': (ms: number, now: number) => Math.ceil((now + ms) / 1000),
  'ms since 1970': (ms: number, now: number) => Math.ceil(now + ms),
};

export type ResetFormat = keyof typeof resets;

/**
 * - `second`, `minute`: the headers describe that window
 * - `none`: there are no headers
 * - `empty minute`: they describe the minute, and those of a refusal say that nothing is left of it
 */
export type Described = 'second' | 'minute' | 'none' | 'empty minute';

export interface TwoLimits {
  readonly kind: WindowKind;
  readonly perSecond: number;
  readonly perMinute: number;
  readonly described: Described;
  readonly reset: ResetFormat;
  readonly hasRetryAfter: boolean;
  /** Where fixed windows begin, in ms. */
  readonly offset: number;
}

/** A service that counts a second and a minute, and announces one of them or none. */
export function twoLimitService(limits: TwoLimits, start = Date.now()): Respond {
  const second = counters[limits.kind](limits.perSecond, 1000, limits.offset, start);
  const minute = counters[limits.kind](limits.perMinute, 60_000, limits.offset, start);

  function announce(now: number, isRefused: boolean): Headers {
    const headers = new Headers({ Date: new Date(now).toUTCString() });
    if (limits.described === 'none') return headers;
    const counter = limits.described === 'second' ? second : minute;
    const isEmpty = isRefused && limits.described === 'empty minute';
    headers.set('X-RateLimit-Limit', String(counter.limit));
    headers.set('X-RateLimit-Remaining', String(isEmpty ? 0 : counter.remaining(now)));
    headers.set('X-RateLimit-Reset', String(resets[limits.reset](counter.untilReset(now), now)));
    return headers;
  }

  return () => {
    const now = Date.now();
    const full = [second, minute].filter((counter) => counter.remaining(now) < 1);
    if (full.length === 0) for (const counter of [second, minute]) counter.take(now);
    const isRefused = full.length > 0;
    const headers = announce(now, isRefused);
    if (isRefused && limits.hasRetryAfter) {
      const untilFree = Math.max(...full.map((counter) => counter.untilFree(now)));
      headers.set('Retry-After', String(Math.ceil(untilFree / 1000)));
    }
    return {
      status: isRefused ? 429 : 200,
      rateLimit: parseRateLimit(headers, now),
      retryAfterMs: parseRetryAfter(headers, now),
    };
  };
}

/** The least time in which a client that knows everything sends `count` requests, in ms. */
export function leastMs(limits: TwoLimits, count: number): number {
  const start = Date.now();
  const all = [
    counters[limits.kind](limits.perSecond, 1000, limits.offset, start),
    counters[limits.kind](limits.perMinute, 60_000, limits.offset, start),
  ];
  let sent = 0;
  for (let ms = 0; ms < 600_000; ms++) {
    while (all.every((counter) => counter.remaining(start + ms) >= 1)) {
      for (const counter of all) counter.take(start + ms);
      if (++sent === count) return ms;
    }
  }
  throw new Error('not sent within ten minutes');
}
