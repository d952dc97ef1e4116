import { setTimeout as sleep } from 'node:timers/promises';

import { Redis } from 'ioredis';
import { createClient, createClientPool } from 'redis';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { createMemoryDedupe, createRedisDedupe } from 'data-quality-client/webhooks';
import type { Dedupe } from 'data-quality-client/webhooks';

import { isRedisInstalled, startRedis } from '../support/redis-server.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** What every store promises. */
function promises(open: () => Dedupe): void {
  test('one of many gets a claim, and after a release the next one', async () => {
    const store = open();
    const claim = () => Promise.all(Array.from({ length: 20 }, () => store.claim('many', 60_000)));
    expect((await claim()).filter(Boolean)).toHaveLength(1);
    await store.release('many');
    expect((await claim()).filter(Boolean)).toHaveLength(1);
  });

  test('ids do not touch each other, and an unknown one can be released', async () => {
    const store = open();
    expect(await store.claim('a', 60_000)).toBe(true);
    await store.release('b');
    expect(await store.claim('b', 60_000)).toBe(true);
    expect(await store.claim('a', 60_000)).toBe(false);
  });

  test('a claim ends with its time', async () => {
    const store = open();
    expect(await store.claim('short', 5)).toBe(true);
    await vi.waitFor(async () => expect(await store.claim('short', 60_000)).toBe(true));
    expect(await store.claim('short', 60_000)).toBe(false);
  });
}

describe('in memory', () => {
  promises(() => createMemoryDedupe());

  test('forgets the oldest when it is full, and what expired first', async () => {
    const store = createMemoryDedupe({ maxEntries: 3 });
    for (const id of ['a', 'b', 'c', 'd']) await store.claim(id, 60_000);
    expect(await store.claim('b', 60_000)).toBe(false);
    expect(await store.claim('c', 60_000)).toBe(false);
    expect(await store.claim('d', 60_000)).toBe(false);
    expect(await store.claim('a', 60_000)).toBe(true);
  });

  test('a claim that was renewed counts as young, and takes no second place', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const store = createMemoryDedupe({ maxEntries: 3 });
    await store.claim('oldest', 60_000);
    await store.claim('renewed', 10);
    await store.claim('young', 60_000);
    vi.setSystemTime(Date.now() + 10);
    expect(await store.claim('renewed', 60_000)).toBe(true);
    expect(await store.claim('oldest', 60_000)).toBe(false);
    for (const id of ['d', 'e']) await store.claim(id, 60_000);
    expect(await store.claim('renewed', 60_000)).toBe(false);
  });

  test('remembers a single alert if there is room for one', async () => {
    const store = createMemoryDedupe({ maxEntries: 1 });
    expect(await store.claim('a', 60_000)).toBe(true);
    expect(await store.claim('a', 60_000)).toBe(false);
    expect(await store.claim('b', 60_000)).toBe(true);
    expect(await store.claim('a', 60_000)).toBe(true);
  });

  test('never exceeds its bound, whatever the traffic', async () => {
    const store = createMemoryDedupe({ maxEntries: 100 });
    for (let n = 0; n < 5_000; n += 1) await store.claim(String(n), 60_000);
    const held = await Promise.all(Array.from({ length: 5_000 }, (_, n) => store.claim(String(n), 1)));
    expect(held.filter((claimed) => !claimed).length).toBeLessThanOrEqual(100);
  });

  test('sets no timer', async () => {
    vi.useFakeTimers();
    await createMemoryDedupe().claim('a', 60_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([0, -1, 1.5, Number.NaN, Infinity])('refuses %d entries', (maxEntries) => {
    expect(() => createMemoryDedupe({ maxEntries })).toThrow(/maxEntries must be a positive integer/);
  });
});

describe.skipIf(!isRedisInstalled)('in Redis', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    await redis.stop();
  });

  const clients = {
    ioredis: async () => {
      const client = new Redis(redis.port);
      return {
        store: () => createRedisDedupe(client),
        flush: () => client.flushall(),
        close: () => client.quit(),
      };
    },
    redis: async () => {
      const client = await createClient({ url: `redis://127.0.0.1:${redis.port}` }).connect();
      return {
        store: () => createRedisDedupe(client),
        flush: () => client.flushAll(),
        close: () => client.close(),
      };
    },
    'a pool of redis': async () => {
      const pool = createClientPool({ url: `redis://127.0.0.1:${redis.port}` });
      await pool.connect();
      return {
        store: () => createRedisDedupe(pool),
        flush: () => pool.sendCommand(['FLUSHALL']),
        close: () => pool.close(),
      };
    },
  };

  describe.each(Object.entries(clients))('by %s', (_, connect) => {
    let connected: Awaited<ReturnType<typeof connect>>;
    beforeAll(async () => {
      connected = await connect();
    });
    afterEach(async () => {
      await connected.flush();
    });
    afterAll(async () => {
      await connected.close();
    });

    promises(() => connected.store());

    test('two receivers see each other, and give back only what is their own', async () => {
      const [mine, other] = [connected.store(), connected.store()];
      expect(await mine.claim('a', 60_000)).toBe(true);
      expect(await other.claim('a', 60_000)).toBe(false);
      await other.release('a');
      expect(await other.claim('a', 60_000)).toBe(false);
      await mine.release('a');
      expect(await other.claim('a', 60_000)).toBe(true);
    });

    test('a claim that expired and became somebody else’s stays theirs', async () => {
      const [mine, other] = [connected.store(), connected.store()];
      await mine.claim('a', 5);
      await sleep(20);
      expect(await other.claim('a', 60_000)).toBe(true);
      await mine.release('a');
      expect(await mine.claim('a', 60_000)).toBe(false);
    });
  });

  test('a prefix keeps destinations apart', async () => {
    const client = new Redis(redis.port);
    const [orders, customers] = ['orders:', 'customers:'].map((prefix) =>
      createRedisDedupe(client, { prefix }),
    );
    expect(await orders?.claim('a', 60_000)).toBe(true);
    expect(await customers?.claim('a', 60_000)).toBe(true);
    expect((await client.keys('*')).toSorted()).toEqual(['customers:a', 'orders:a']);
    await client.quit();
  });
});
