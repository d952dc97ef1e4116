import { createHash } from 'node:crypto';

import type * as RateLimiterModule from 'rate-limiter-flexible';
import type { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

import { type Tier, tiers } from '../../contract/vocabulary.ts';
import type { Quota, RateLimiter } from '../../service/rate-limit.ts';
import type { PostgresState } from './postgres-state.ts';

/** The windows that requests are counted in, in seconds. */
const minute = 60;
const second = 1;

/** Counts the requests of each key together for all processes that share a state. The tables contain no key. */
export function createSharedRateLimiter(
  { RateLimiterPostgres, RateLimiterRes }: typeof RateLimiterModule,
  state: PostgresState,
  tier: Tier,
): RateLimiter {
  const { perMinute, perSecond } = tiers[tier];
  const counter = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient: {
        query: async (statement: { text: string; values: unknown[] }) => state.query(statement),
      },
      storeType: 'pool',
      tableName: 'request_counts',
      tableCreated: true,
      keyPrefix,
      points,
      duration,
      // Until its window ends, a key that is refused is refused without asking the database.
      inMemoryBlockOnConsumed: points,
    });
  const seconds = counter('second', perSecond, second);
  const minutes = counter('minute', perMinute, minute);

  const consume = async (counting: RateLimiterPostgres, key: string) => {
    try {
      return { count: await counting.consume(key), isRefused: false };
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      return { count: error, isRefused: true };
    }
  };
  const full = (): Quota => quota(perMinute, undefined);

  return {
    full,
    async take(key) {
      const digest = createHash('sha256').update(key).digest('base64url');
      const inSecond = await consume(seconds, digest);
      // One that is refused is not counted.
      if (inSecond.isRefused) {
        const inMinute = (await minutes.get(digest)) ?? undefined;
        const wait = Math.max(inSecond.count.msBeforeNext, waitOf(inMinute));
        return { ...quota(perMinute, inMinute), retryAfter: secondsOf(wait) };
      }
      const { count, isRefused } = await consume(minutes, digest);
      const left = quota(perMinute, count);
      return isRefused ? { ...left, retryAfter: secondsOf(count.msBeforeNext) } : left;
    },
  };
}

function quota(limit: number, count: RateLimiterRes | undefined): Quota {
  return {
    limit,
    remaining: count?.remainingPoints ?? limit,
    reset: Math.ceil((Date.now() + (count?.msBeforeNext ?? minute * 1000)) / 1000),
    retryAfter: undefined,
  };
}

function waitOf(count: RateLimiterRes | undefined): number {
  return count !== undefined && count.remainingPoints === 0 ? count.msBeforeNext : 0;
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
