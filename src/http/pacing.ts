import { ConfigurationError, type RateLimit } from '../errors.ts';
import { AnnouncedLimit } from './announced-limit.ts';
import type { PacedAnswer } from './brake.ts';
import { CoolDown } from './cool-down.ts';
import { InFlight } from './in-flight.ts';
import { LearnedBurst } from './learned-burst.ts';
import { PacingQueue } from './pacing-queue.ts';
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
  /** The limit announced last. */
  readonly rateLimit: RateLimit | undefined;
}

/** The tiers of the service, with what each allows (interface: Rate limits). */
export const tiers = {
  free_trial: { perMinute: 20, perSecond: 2 },
  starter: { perMinute: 30, perSecond: 3 },
  growth: { perMinute: 500, perSecond: 25 },
  professional: { perMinute: 1000, perSecond: 50 },
  enterprise: { perMinute: 5000, perSecond: 100 },
} as const;

/** A subscription tier of the service. */
export type Tier = keyof typeof tiers;

/** How many requests a key may send. */
export interface RequestLimits {
  readonly perMinute: number;
  readonly perSecond: number;
}

/**
 * How the client keeps to the rate limit of its key:
 *
 * - `'auto'`: learns it from the headers and the 429s of the service
 * - limits, or the tier that has them: never sends more in any minute or second
 * - `false`: sends everything at once
 */
export type RateLimitOption = 'auto' | false | RequestLimits | { readonly tier: Tier };

/** Calls that may be on their way before anything is known of the limit. */
const firstCalls = 10;

/** Makes the gate for an option. Throws `ConfigurationError` if that can't be understood. */
export function createPacing(option: RateLimitOption): Pacing {
  if (option === false) return new Unpaced();
  const inFlight = new InFlight();
  if (option === 'auto') {
    const brakes = [new CoolDown(inFlight, firstCalls), new AnnouncedLimit(inFlight), new LearnedBurst()];
    return new PacingQueue(inFlight, brakes);
  }
  const { perMinute, perSecond } = checkLimits(option);
  return new PacingQueue(inFlight, [
    new CoolDown(inFlight, Infinity),
    new SlidingWindow(perSecond, 1000, `the limit is ${perSecond} requests a second`),
    new SlidingWindow(perMinute, 60_000, `the limit is ${perMinute} requests a minute`),
  ]);
}

function checkLimits(option: unknown): RequestLimits {
  if (typeof option !== 'object' || option === null) {
    throw new ConfigurationError(
      `rateLimit must be 'auto', false, { tier } or { perMinute, perSecond }, not ${JSON.stringify(option)}`,
    );
  }
  if ('tier' in option) {
    const { tier } = option;
    if (typeof tier === 'string' && Object.hasOwn(tiers, tier)) return tiers[tier as Tier];
    const known = Object.keys(tiers).join(', ');
    throw new ConfigurationError(`rateLimit.tier must be one of ${known}, not ${JSON.stringify(tier)}`);
  }
  const { perMinute, perSecond } = option as Partial<RequestLimits>;
  return { perMinute: checkCount('perMinute', perMinute), perSecond: checkCount('perSecond', perSecond) };
}

function checkCount(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  throw new ConfigurationError(`rateLimit.${name} must be a whole number from 1 on, not ${String(value)}`);
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
}

/** The gates in use, by what they are for; each lives as long as a client that uses it. */
const shared = new Map<string, WeakRef<Pacing>>();

/**
 * The gate that all clients of this process with the same key, base URL and option share. `apiKey` may be a
 * function; the same one then stands for the same key.
 */
export function sharedPacing(apiKey: string | object, baseUrl: string, option: RateLimitOption): Pacing {
  const key = `${identify(apiKey)} ${baseUrl} ${JSON.stringify(option)}`;
  const known = shared.get(key)?.deref();
  if (known !== undefined) return known;
  for (const [other, reference] of shared) {
    if (reference.deref() === undefined) shared.delete(other);
  }
  const pacing = createPacing(option);
  shared.set(key, new WeakRef(pacing));
  return pacing;
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** Names a key without keeping it: by a digest that can't be turned back, or, for a function, by a number. */
function identify(apiKey: string | object): string {
  if (typeof apiKey === 'string') return digest(apiKey);
  const number = numbers.get(apiKey) ?? ++lastNumber;
  numbers.set(apiKey, number);
  return `#${number}`;
}

/** FNV-1a, twice: enough to tell the keys of a process apart. */
function digest(text: string): string {
  let one = 0x811c9dc5;
  let two = 0x1b873593;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    two = Math.imul(two ^ unit, 0x85ebca6b);
  }
  return `${(one >>> 0).toString(36)}-${(two >>> 0).toString(36)}`;
}
