import { type Tier, tiers } from '../../contract/vocabulary.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { wholeNumber } from '../request-options.ts';
import type { RateLimitStore, RequestLimits } from './rate-limit-store.ts';

/**
 * How the client keeps to the rate limit of its key:
 *
 * - `'auto'`: learns it from the headers and the 429s of the service
 * - `{ auto: true, store }`: the same, and begins with what the last process learned within the hour
 * - the limits, or the tier that has them: never exceeded in any one-second or one-minute window; with a `store`,
 *   not even together with other processes that have the same key
 * - `false`: sends everything at once
 */
export type RateLimitOption =
  | 'auto'
  | false
  | {
      /** Learns the limit, as `'auto'` does. */
      readonly auto: true;
      /** Where what was learned is kept for the next process: a store with `recall` and `remember`. */
      readonly store: RateLimitStore;
    }
  | ((
      | RequestLimits
      | {
          /** The tier of the key, which has its limits. */
          readonly tier: Tier;
        }
    ) & {
      /** Where processes that share the key count together; absent if this is the only one. */
      readonly store?: RateLimitStore | undefined;
    });

/** Whether an option asks to learn the limit, beginning with what a store remembers. */
export function learnsWithStore(
  option: RateLimitOption,
): option is Extract<RateLimitOption, { readonly auto: true }> {
  // In JavaScript it can be anything.
  return (option as { readonly auto?: unknown } | null)?.auto === true;
}

/** Returns the limits an option names, or the tier that has them; throws `ConfigurationError`. */
export function checkLimits(option: unknown): RequestLimits {
  if (typeof option !== 'object' || option === null) {
    throw new ConfigurationError(
      `rateLimit: must be 'auto', false, { auto: true, store }, { tier } or { perMinute, perSecond }, not ${JSON.stringify(option)}`,
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

/** Returns a store that can remember; throws `ConfigurationError`. */
export function checkMemory(store: unknown): RateLimitStore {
  const checked = checkStore(store);
  if (typeof checked.recall === 'function' && typeof checked.remember === 'function') return checked;
  throw new ConfigurationError(
    'rateLimit.store: must have the methods recall and remember, as the one of createRedisRateLimitStore has',
  );
}

/** Returns a store that can be asked; throws `ConfigurationError`. */
export function checkStore(store: unknown): RateLimitStore {
  if (typeof store === 'object' && store !== null && 'take' in store && typeof store.take === 'function') {
    return store as RateLimitStore;
  }
  throw new ConfigurationError(
    'rateLimit.store: must have a method take, as the one of createRedisRateLimitStore has',
  );
}

function checkCount(name: string, value: unknown): number {
  const problem = wholeNumber(value, 1);
  if (problem !== undefined) throw new ConfigurationError(`rateLimit.${name}: ${problem}`);
  return value as number;
}
