import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { createPacing } from '../../../src/http/pacing/create-pacing.ts';
import type { Pacing } from '../../../src/http/pacing/pacing.ts';
import type { RateLimitStore } from '../../../src/http/pacing/rate-limit-store.ts';
import { createRedisRateLimitStore } from '../../../src/http/pacing/redis-rate-limit-store.ts';
import { isRedisInstalled, type RedisServer, startRedis } from '../../support/redis-server.ts';
import { mostInAnyWindow } from './pacing-simulation.ts';

if (!isRedisInstalled) {
  process.stderr.write('Skipped: the tests of the shared rate limit, as no redis-server is installed.\n');
}

describe.skipIf(!isRedisInstalled)('a rate limit shared through Redis', () => {
  let server: RedisServer;
  const closers: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    server = await startRedis();
  });
  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
  });
  afterAll(() => server.stop());

  async function ioredisStore(prefix: string, options = {}): Promise<RateLimitStore> {
    const client = new Redis({ port: server.port, lazyConnect: true, ...options });
    client.on('error', () => {});
    await client.connect();
    closers.push(async () => client.disconnect());
    return createRedisRateLimitStore(client, { prefix });
  }

  async function nodeRedisStore(prefix: string): Promise<RateLimitStore> {
    const client = createClient({ url: `redis://127.0.0.1:${server.port}` });
    client.on('error', () => {});
    await client.connect();
    closers.push(async () => client.destroy());
    return createRedisRateLimitStore(client, { prefix });
  }

  const kinds = [
    ['ioredis', ioredisStore],
    ['redis', nodeRedisStore],
  ] as const;

  it.each(kinds)(
    'grants as many as a second holds, then says how long to wait (%s)',
    async (kind, connect) => {
      const store = await connect(`${kind}:`);
      const limits = { perMinute: 100, perSecond: 5 };
      expect(await store.take({ key: 'key', limits, count: 3, arrivalMs: 100 })).toEqual({
        granted: 3,
        waitMs: 0,
      });
      const second = await store.take({ key: 'key', limits, count: 3, arrivalMs: 100 });
      expect(second.granted).toBe(2);
      expect(second.waitMs).toBeGreaterThan(900);
      expect(second.waitMs).toBeLessThanOrEqual(1100);
      expect(await store.take({ key: 'another key', limits, count: 5, arrivalMs: 100 })).toEqual({
        granted: 5,
        waitMs: 0,
      });
    },
  );

  it.each(kinds)('remembers what was learned of a key, for a time (%s)', async (kind, connect) => {
    const store = await connect(`${kind}:learned:`);
    expect(await store.recall?.('key')).toBeUndefined();
    await store.remember?.('key', { perSecond: 25 }, 60_000);
    expect(await store.recall?.('key')).toEqual({ perSecond: 25 });
    expect(await store.recall?.('another key')).toBeUndefined();
    await store.remember?.('key', { perSecond: 50 }, 1);
    await expect.poll(() => store.recall?.('key')).toBeUndefined();
  });

  it.each(kinds)('grants as many as a minute holds (%s)', async (kind, connect) => {
    const store = await connect(`${kind}:minute:`);
    const limits = { perMinute: 4, perSecond: 1000 };
    const { granted, waitMs } = await store.take({ key: 'key', limits, count: 10, arrivalMs: 100 });
    expect(granted).toBe(4);
    expect(waitMs).toBeGreaterThan(59_000);
  });

  it('starts again when the clock of Redis was set back by an hour', async () => {
    const client = new Redis({ port: server.port });
    closers.push(async () => client.disconnect());
    await client.lpush('clock:key', Date.now() + 3_600_000, Date.now() + 3_600_000);
    const store = createRedisRateLimitStore(client, { prefix: 'clock:' });
    const limits = { perMinute: 2, perSecond: 2 };
    const request = { key: 'key', limits, count: 3, arrivalMs: 100 };
    expect((await store.take(request)).granted).toBe(2);
    const { granted, waitMs } = await store.take(request);
    expect(granted).toBe(0);
    expect(waitMs).toBeLessThanOrEqual(60_100);
  });

  it('keeps several limiters together within the limits', async () => {
    const limits = { perMinute: 10_000, perSecond: 20 };
    const pacings: Pacing[] = [];
    for (const [, connect] of [...kinds, ...kinds]) {
      pacings.push(createPacing({ ...limits, store: await connect('together:') }, () => 'key'));
    }
    const sentAt: number[] = [];
    const send = async (pacing: Pacing): Promise<void> => {
      await pacing.acquire(undefined, () => {});
      sentAt.push(performance.now());
      pacing.onResponse({ status: 200, rateLimit: undefined, retryAfterMs: undefined });
    };
    const start = performance.now();
    await Promise.all(pacings.flatMap((pacing) => Array.from({ length: 15 }, () => send(pacing))));
    expect(sentAt).toHaveLength(60);
    expect(mostInAnyWindow(sentAt, 1000)).toBeLessThanOrEqual(20);
    expect(performance.now() - start).toBeGreaterThanOrEqual(2000);
  });

  it('goes on alone when Redis goes silent, and together again when it is back', async () => {
    const frozen = await startRedis();
    const client = new Redis({ port: frozen.port });
    client.on('error', () => {});
    closers.push(async () => {
      client.disconnect();
      await frozen.stop();
    });
    const warnings: string[] = [];
    const limits = { perMinute: 10_000, perSecond: 100 };
    const back = Promise.withResolvers<void>();
    const pacing = createPacing(
      { ...limits, store: createRedisRateLimitStore(client) },
      () => 'key',
      (message) => {
        warnings.push(message);
        if (message.includes('again')) back.resolve();
      },
    );
    await pacing.acquire(undefined, () => {});
    frozen.freeze();
    await Promise.all(Array.from({ length: 5 }, () => Promise.resolve(pacing.acquire(undefined, () => {}))));
    expect(warnings).toEqual([expect.stringContaining('no response within 1000 ms')]);
    frozen.thaw();
    await back.promise;
    await pacing.acquire(undefined, () => {});
    expect(warnings).toHaveLength(2);
  });

  it('goes on alone when the connection is refused', async () => {
    const client = new Redis({
      port: 1,
      lazyConnect: true,
      enableOfflineQueue: false,
      retryStrategy: () => null,
    });
    client.on('error', () => {});
    closers.push(async () => client.disconnect());
    const warnings: string[] = [];
    const option = { perMinute: 100, perSecond: 100, store: createRedisRateLimitStore(client) };
    const pacing = createPacing(
      option,
      () => 'key',
      (message) => warnings.push(message),
    );
    await pacing.acquire(undefined, () => {});
    await pacing.acquire(undefined, () => {});
    expect(warnings).toHaveLength(1);
  });
});
