import { type RedisClient, runScript } from '../../redis.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

// The clock is that of Redis, the same for all. The list has the time by which each call will have arrived, newest first,
// and never an earlier time before a later one. A time further ahead than a request takes to arrive means that the
// clock was set back, and says nothing any more.
const takeScript = `
local key, per_second, per_minute, count, arrival = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local latest = tonumber(redis.call('LINDEX', key, 0) or 0)
if latest > now + 1000 then
  redis.call('DEL', key)
  latest = 0
end
local arrived = math.max(now + arrival, latest)
local function wait_for_room(limit, window)
  local oldest = redis.call('LINDEX', key, limit - 1)
  return oldest and oldest + window - now or 0
end
local granted, wait = 0, 0
while granted < count do
  wait = math.max(wait_for_room(per_second, 1000), wait_for_room(per_minute, 60000))
  if wait > 0 then break end
  redis.call('LPUSH', key, arrived)
  granted = granted + 1
end
if granted > 0 then
  redis.call('LTRIM', key, 0, math.max(per_second, per_minute) - 1)
  redis.call('PEXPIRE', key, arrived - now + 60000)
end
return { granted, wait }`;

// Beside the list, and for a time of their own. What is read is checked by whoever asked.
const recallScript = `return redis.call('GET', KEYS[1])`;
const rememberScript = `redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`;

/**
 * A store for processes that share a key, on a connected client of `ioredis` or `redis` that stays the caller's.
 * While Redis cannot be reached, each client warns once in its log and keeps to the limits by itself.
 *
 * @param options.prefix of every key; default `data-quality:rate-limit:`. If `apiKey` is a function, give each
 * API key its own.
 *
 * @example
 * const store = createRedisRateLimitStore(new Redis(process.env.REDIS_URL));
 * new DataQualityClient({ rateLimit: { tier: 'growth', store } });
 * new DataQualityClient({ rateLimit: { auto: true, store } });
 */
export function createRedisRateLimitStore(
  client: RedisClient,
  { prefix = 'data-quality:rate-limit:' }: { readonly prefix?: string } = {},
): RateLimitStore {
  return {
    async take({ key, limits: { perSecond, perMinute }, count, arrivalMs }) {
      const reply = await runScript(
        client,
        takeScript,
        prefix + key,
        [perSecond, perMinute, count, arrivalMs].map(String),
      );
      const [granted, waitMs] = Array.isArray(reply) ? reply.map(Number) : [];
      return { granted: granted ?? Number.NaN, waitMs: waitMs ?? Number.NaN };
    },
    async recall(key) {
      const perSecond = Number(
        (await runScript(client, recallScript, `${prefix}${key}:learned`, [])) ?? undefined,
      );
      return Number.isNaN(perSecond) ? undefined : { perSecond };
    },
    async remember(key, { perSecond }, ms) {
      await runScript(client, rememberScript, `${prefix}${key}:learned`, [String(perSecond), String(ms)]);
    },
  };
}
