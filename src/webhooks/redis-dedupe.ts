import { type RedisClient, runScript } from '../redis.ts';
import type { Dedupe } from './dedupe.ts';

// Comparing and deleting in one step: between two, the claim could expire and become somebody else's.
const releaseScript = `return redis.call('get', KEYS[1]) == ARGV[1] and redis.call('del', KEYS[1])`;

/**
 * A store for receivers on several machines, on a connected client of `ioredis` or `redis` that stays the caller's.
 * What the client throws, such as a lost connection, makes the delivery fail, and the service try again.
 *
 * @param options.prefix of every key; default `data-quality:alert:`. Give each destination its own.
 *
 * @example
 * createWebhookHandler({ secret, onAlert, dedupe: createRedisDedupe(new Redis(process.env.REDIS_URL)) });
 */
export function createRedisDedupe(
  client: RedisClient,
  { prefix = 'data-quality:alert:' }: { readonly prefix?: string } = {},
): Dedupe {
  // Says whose a claim is; made on first use, as some runtimes have no random numbers before a request.
  let token = '';

  return {
    async claim(id, ttlMs) {
      token ||= crypto.randomUUID();
      const key = prefix + id;
      const reply = await ('defineCommand' in client
        ? client.set(key, token, 'PX', ttlMs, 'NX')
        : client.set(key, token, { condition: 'NX', expiration: { type: 'PX', value: ttlMs } }));
      return reply !== null;
    },
    async release(id) {
      await runScript(client, releaseScript, prefix + id, [token]);
    },
  };
}
