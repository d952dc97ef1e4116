import { tiers } from '../../contract/vocabulary.ts';
import type { RateLimit } from '../../errors/rate-limit.ts';
import type { RequestLimits } from './rate-limit-store.ts';

/** The reset of a window of one second, rounded up to seconds, is never further away than this, in ms. */
const longestShortLeadMs = 2000;

/**
 * The limits of the tier whose minute a response announces: the headers describe one window, and the interface names
 * the other one. A limit that is reset within two seconds may be that of a second.
 */
export function announcedTier(rateLimit: RateLimit | undefined): RequestLimits | undefined {
  if (rateLimit === undefined || rateLimit.resetAt.getTime() - Date.now() <= longestShortLeadMs)
    return undefined;
  return Object.values(tiers).find(({ perMinute }) => perMinute === rateLimit.limit);
}
