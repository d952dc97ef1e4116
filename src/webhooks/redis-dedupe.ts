import type { Dedupe } from './dedupe.ts';

/** What the store uses of a client of `ioredis`. */
export interface IoRedisClient {
  defineCommand: unknown;
  set(key: string, value: string, px: 'PX', ttlMs: number, nx: 'NX'): Promise<unknown>;
  eval(script: string, keyCount: number, key: string, value: string): Promise<unknown>;
}

/** What the store uses of a client, pool or cluster of `redis`. */
export interface NodeRedisClient {
  set(
    key: string,
    value: string,
    options: {
      readonly condition: 'NX';
      readonly expiration: { readonly type: 'PX'; readonly value: number };
    },
  ): Promise<unknown>;
  eval(script: string, options: { readonly keys: string[]; readonly arguments: string[] }): Promise<unknown>;
}

// Comparing and deleting in one step: between two, the claim could expire and become somebody else's.
const releaseScript = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;

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
  client: IoRedisClient | NodeRedisClient,
  { prefix = 'data-quality:alert:' }: { readonly prefix?: string } = {},
): Dedupe {
  let owner: string | undefined;
  /** Says whose a claim is; made on first use, as some runtimes have no random numbers before a request. */
  const token = (): string => (owner ??= crypto.randomUUID());

  if ('defineCommand' in client) {
    return {
      claim: async (id, ttlMs) => (await client.set(prefix + id, token(), 'PX', ttlMs, 'NX')) !== null,
      async release(id) {
        await client.eval(releaseScript, 1, prefix + id, token());
      },
    };
  }
  return {
    async claim(id, ttlMs) {
      const expiration = { type: 'PX', value: ttlMs } as const;
      return (await client.set(prefix + id, token(), { condition: 'NX', expiration })) !== null;
    },
    async release(id) {
      await client.eval(releaseScript, { keys: [prefix + id], arguments: [token()] });
    },
  };
}
