// How stores that processes share call Redis.

/** The methods of an `ioredis` client that the stores of this package call. */
export interface IoRedisClient {
  /** Distinguishes a client of `ioredis` from one of `redis`, which has no such method; never called. */
  defineCommand: unknown;
  /** Sets a key that does not exist yet. */
  set(key: string, value: string, px: 'PX', ttlMs: number, nx: 'NX'): Promise<unknown>;
  /** Runs a script. */
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** The methods of a client, pool or cluster of `redis` that the stores of this package call. */
export interface NodeRedisClient {
  /** Sets a key that does not exist yet. */
  set(
    key: string,
    value: string,
    options: {
      readonly condition: 'NX';
      readonly expiration: { readonly type: 'PX'; readonly value: number };
    },
  ): Promise<unknown>;
  /** Runs a script. */
  eval(script: string, options: { readonly keys: string[]; readonly arguments: string[] }): Promise<unknown>;
}

/** A connected client of `ioredis` or `redis`. */
export type RedisClient = IoRedisClient | NodeRedisClient;

/** Runs a script over one key. */
export function runScript(
  client: RedisClient,
  script: string,
  key: string,
  args: string[],
): Promise<unknown> {
  return 'defineCommand' in client
    ? client.eval(script, 1, key, ...args)
    : client.eval(script, { keys: [key], arguments: args });
}
