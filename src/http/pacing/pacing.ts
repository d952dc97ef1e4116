import { type Tier, tiers } from '../../contract/vocabulary.ts';
import { ConfigurationError, type RateLimit } from '../../errors.ts';
import { AnnouncedLimit } from './announced-limit.ts';
import type { PacedAnswer } from './brake.ts';
import { CoolDown } from './cool-down.ts';
import { InFlight } from './in-flight.ts';
import { LearnedBurst } from './learned-burst.ts';
import { PacingQueue } from './pacing-queue.ts';
import type { RateLimitStore, RequestLimits } from './rate-limit-store.ts';
import { SharedLimit } from './shared-limit.ts';
import { SlidingWindow } from './sliding-window.ts';

/** A wait for the rate limit that begins. */
export interface PacingWait {
  /** How long it is expected to take, in ms. */
  readonly ms: number;
  readonly reason: string;
}

/** Holds calls back so that the service does not have to refuse them (interface: Rate limits). */
export interface Pacing {
  /**
   * Resolves when the call may be sent; `undefined` where it may be sent at once. Rejects with the signal's
   * reason as soon as it aborts. `onWait` hears of the wait, and again if it turns out to be longer.
   */
  admit(signal: AbortSignal | undefined, onWait: (wait: PacingWait) => void): Promise<void> | undefined;
  /** To be told of every answer. */
  observe(answer: PacedAnswer): void;
  /**
   * To be told of every call that ends without an answer: when it was sent, as a time of `performance.now()`, and
   * whether the service may have counted it.
   */
  lose(sentAt: number, mayHaveArrived: boolean): void;
  /** The limit announced last. */
  readonly rateLimit: RateLimit | undefined;
}

/**
 * How the client keeps to the rate limit of its key (interface: Rate limits):
 *
 * - `'auto'`: learns it from the headers and the 429s of the service
 * - the limits, or the tier that has them: never sends more in any second or minute; with a `store`, not even
 *   together with other processes that have the same key
 * - `false`: sends everything at once
 */
export type RateLimitOption =
  | 'auto'
  | false
  | ((RequestLimits | { readonly tier: Tier }) & { readonly store?: RateLimitStore | undefined });

/** Calls that may be on their way before anything is known of the limit. */
const firstCalls = 10;

/**
 * Makes the gate for an option; throws `ConfigurationError` if that can't be understood. `key` names the gate in
 * the store, and `warn` hears when the store is away and when it is back.
 */
export function createPacing(
  option: RateLimitOption,
  key = '',
  warn: (message: string) => void = () => {},
): Pacing {
  if (option === false) return new Unpaced();
  const inFlight = new InFlight();
  if (option === 'auto') {
    const brakes = [new CoolDown(inFlight, firstCalls), new AnnouncedLimit(inFlight), new LearnedBurst()];
    return new PacingQueue(inFlight, brakes);
  }
  const limits = checkLimits(option);
  const { perMinute, perSecond } = limits;
  const coolDown = new CoolDown(inFlight, Infinity);
  const windows = [
    new SlidingWindow(perSecond, 1000, `the limit is ${perSecond} requests a second`),
    new SlidingWindow(perMinute, 60_000, `the limit is ${perMinute} requests a minute`),
  ];
  if (option.store === undefined) return new PacingQueue(inFlight, [coolDown, ...windows]);
  const own = [coolDown, ...windows];
  const stored = { store: checkStore(option.store), key, limits, inFlight };
  const sharedLimit = new SharedLimit(stored, own, warn);
  const queue = new PacingQueue(inFlight, [...own, sharedLimit]);
  sharedLimit.serve(queue);
  return queue;
}

function checkLimits(option: unknown): RequestLimits {
  if (typeof option !== 'object' || option === null) {
    throw new ConfigurationError(
      `rateLimit: must be 'auto', false, { tier } or { perMinute, perSecond }, not ${JSON.stringify(option)}`,
    );
  }
  if ('tier' in option) {
    const { tier } = option;
    if (typeof tier === 'string' && Object.hasOwn(tiers, tier)) return tiers[tier as Tier];
    const known = Object.keys(tiers).join(', ');
    throw new ConfigurationError(`rateLimit.tier: must be one of ${known}, not ${JSON.stringify(tier)}`);
  }
  const { perMinute, perSecond } = option as Partial<RequestLimits>;
  return { perMinute: checkCount('perMinute', perMinute), perSecond: checkCount('perSecond', perSecond) };
}

function checkCount(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  throw new ConfigurationError(`rateLimit.${name}: must be a whole number from 1 on, not ${String(value)}`);
}

function checkStore(store: unknown): RateLimitStore {
  if (typeof store === 'object' && store !== null && 'take' in store && typeof store.take === 'function') {
    return store as RateLimitStore;
  }
  throw new ConfigurationError(
    'rateLimit.store: must have a method take, as the one of createRedisRateLimitStore has',
  );
}

/** Holds nothing back. */
class Unpaced implements Pacing {
  rateLimit: RateLimit | undefined;

  admit(): undefined {
    return undefined;
  }

  observe({ rateLimit }: PacedAnswer): void {
    if (rateLimit !== undefined) this.rateLimit = rateLimit;
  }

  lose(): void {
    // Nobody waits.
  }
}
