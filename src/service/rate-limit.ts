import { type Tier, tiers } from '../contract/vocabulary.ts';

/** What is left of a key's requests. */
export interface Quota {
  /** Requests a minute. */
  readonly limit: number;
  /** Requests left in this minute. */
  readonly remaining: number;
  /** When the minute ends, in seconds since 1970. */
  readonly reset: number;
  /** Seconds until a request is accepted again; `undefined` if this one was accepted. */
  readonly retryAfter: number | undefined;
}

/** Counts the requests of each key. */
export interface RateLimiter {
  /** Counts a request of this key; one that is refused is not counted. */
  take(key: string): Quota | Promise<Quota>;
  /** The quota of a key that has made no request. */
  full(): Quota;
}

interface Window {
  endsAt: number;
  used: number;
}

/** A fixed window that opens with the first request after the last one closed. */
function windowAt(window: Window | undefined, now: number, length: number): Window {
  return window !== undefined && now < window.endsAt ? window : { endsAt: now + length, used: 0 };
}

/** Enforces a tier; without one every request is taken and the quota announced is always full. */
export function createRateLimiter(tier: Tier | undefined, now: () => number): RateLimiter {
  const { perMinute, perSecond } = tiers[tier ?? 'enterprise'];
  const usage = new Map<string, { minute: Window; second: Window }>();

  const full = (): Quota => ({
    limit: perMinute,
    remaining: perMinute,
    reset: Math.ceil((now() + 60_000) / 1000),
    retryAfter: undefined,
  });

  const take = (key: string): Quota => {
    const time = now();
    const before = usage.get(key);
    const minute = windowAt(before?.minute, time, 60_000);
    const second = windowAt(before?.second, time, 1000);
    usage.set(key, { minute, second });

    const blocking = [
      ...(minute.used >= perMinute ? [minute] : []),
      ...(second.used >= perSecond ? [second] : []),
    ];
    if (blocking.length === 0) {
      minute.used += 1;
      second.used += 1;
    }
    return {
      limit: perMinute,
      remaining: perMinute - minute.used,
      reset: Math.ceil(minute.endsAt / 1000),
      retryAfter:
        blocking.length === 0
          ? undefined
          : Math.ceil((Math.max(...blocking.map(({ endsAt }) => endsAt)) - time) / 1000),
    };
  };

  return { take: tier === undefined ? full : take, full };
}

/** The headers of every response. */
export function quotaHeaders(quota: Quota): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(quota.limit),
    'X-RateLimit-Remaining': String(quota.remaining),
    'X-RateLimit-Reset': String(quota.reset),
  };
}
