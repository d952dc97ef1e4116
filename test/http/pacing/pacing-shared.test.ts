import { createHash } from 'node:crypto';

import { describe, expect, it, vi } from 'vitest';

import { ConfigurationError } from '../../../src/errors/configuration-error.ts';
import { createPacing } from '../../../src/http/pacing/create-pacing.ts';
import type { RateLimitOption } from '../../../src/http/pacing/rate-limit-option.ts';
import type { Permits, RateLimitStore } from '../../../src/http/pacing/rate-limit-store.ts';
import { sharedPacing } from '../../../src/http/pacing/shared-pacing.ts';
import { useFakeTime } from './pacing-simulation.ts';

const url = 'https://dq.test';

/** A store that replies from a list, and then grants everything. */
function storeOf(...answers: (Permits | Error | Promise<Permits>)[]): {
  store: RateLimitStore;
  asked: number[];
} {
  const asked: number[] = [];
  const store: RateLimitStore = {
    async take({ count }) {
      asked.push(count);
      const answer = answers.shift() ?? { granted: count, waitMs: 0 };
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return { store, asked };
}

function acquireAll(pacing: ReturnType<typeof createPacing>, count: number): number[] {
  const sent: number[] = [];
  for (let call = 0; call < count; call++) {
    const admitted = pacing.acquire(undefined, () => {});
    if (admitted === undefined) sent.push(call);
    else void admitted.then(() => sent.push(call));
  }
  return sent;
}

describe('one limiter per process', () => {
  it('is shared by all clients with the same key, base URL and option', () => {
    const pacing = sharedPacing('key', url, 'auto');
    expect(sharedPacing('key', url, 'auto')).toBe(pacing);
    expect(sharedPacing('other', url, 'auto')).not.toBe(pacing);
    expect(sharedPacing('key', `${url}/eu`, 'auto')).not.toBe(pacing);
    expect(sharedPacing('key', url, { tier: 'growth' })).not.toBe(pacing);
    expect(sharedPacing('key', url, { tier: 'growth' })).toBe(sharedPacing('key', url, { tier: 'growth' }));
  });

  it('takes a function that gives the key for the key', () => {
    const [one, other] = [() => 'key', () => 'key'];
    expect(sharedPacing(one, url, 'auto')).toBe(sharedPacing(one, url, 'auto'));
    expect(sharedPacing(other, url, 'auto')).not.toBe(sharedPacing(one, url, 'auto'));
  });

  it('keeps stores apart', () => {
    const { store: one } = storeOf();
    const { store: other } = storeOf();
    const pacing = sharedPacing('key', url, { tier: 'growth', store: one });
    expect(sharedPacing('key', url, { tier: 'growth', store: one })).toBe(pacing);
    expect(sharedPacing('key', url, { tier: 'growth', store: other })).not.toBe(pacing);
  });
});

describe('an option that can not be understood', () => {
  it.each([
    ['a word', 'fast', /rateLimit: must be 'auto', false/],
    ['null', null, /rateLimit: must be/],
    ['an unknown tier', { tier: 'gold' }, /rateLimit\.tier: must be one of free_trial, .*not "gold"/],
    ['a name of every object', { tier: 'toString' }, /rateLimit\.tier/],
    ['a missing limit', { perMinute: 10 }, /rateLimit\.perSecond: .*not undefined/],
    ['a limit of 0', { perMinute: 0, perSecond: 1 }, /rateLimit\.perMinute/],
    ['half a request', { perMinute: 10, perSecond: 0.5 }, /rateLimit\.perSecond/],
    ['a store that is none', { tier: 'growth', store: {} }, /rateLimit\.store: must have a method take/],
    ['a client for a store', { tier: 'growth', store: 'redis://' }, /rateLimit\.store/],
  ])('is refused: %s', (_, option, message) => {
    const make = (): unknown => sharedPacing('key', url, option as RateLimitOption);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });
});

describe('limits shared through a store', () => {
  useFakeTime();

  const ok = { status: 200, rateLimit: undefined, retryAfterMs: undefined };
  const limits = { perMinute: 1000, perSecond: 10 };

  it('asks for all that wait at once, and waits as long as the store demands', async () => {
    const { store, asked } = storeOf(
      { granted: 1, waitMs: 0 },
      { granted: 2, waitMs: 700 },
      { granted: 2, waitMs: 0 },
    );
    const sent = acquireAll(createPacing({ ...limits, store }), 5);
    await vi.advanceTimersByTimeAsync(699);
    expect(sent).toEqual([0, 1, 2]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([0, 1, 2, 3, 4]);
    expect(asked).toEqual([1, 4, 2]);
  });

  it('never asks for more than it has room for itself', async () => {
    const { store, asked } = storeOf();
    acquireAll(createPacing({ ...limits, store }), 30);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual([1, 9]);
    await vi.advanceTimersByTimeAsync(1499);
    expect(asked).toEqual([1, 9]);
  });

  it('reports once that the store is unavailable, keeps to the limits alone, and comes back', async () => {
    const { store } = storeOf(new Error('connection lost'), new Error('connection lost'));
    const warnings: string[] = [];
    const pacing = createPacing(
      { ...limits, store },
      () => 'key',
      (message) => warnings.push(message),
    );
    const sent = acquireAll(pacing, 25);
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toHaveLength(10);
    await vi.advanceTimersByTimeAsync(6000);
    expect(sent).toHaveLength(25);
    acquireAll(pacing, 1);
    await vi.advanceTimersByTimeAsync(5000);
    expect(warnings).toEqual([expect.stringMatching(/cannot be used \(connection lost\)/)]);
    acquireAll(pacing, 1);
    await vi.advanceTimersByTimeAsync(0);
    expect(warnings).toHaveLength(2);
    expect(warnings[1]).toMatch(/shared with other processes again/);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not wait for a store that is silent, and keeps no timer for it', async () => {
    const { store } = storeOf(new Promise(() => {}));
    const warnings: string[] = [];
    const pacing = createPacing(
      { ...limits, store },
      () => 'key',
      (message) => warnings.push(message),
    );
    const sent = acquireAll(pacing, 3);
    await vi.advanceTimersByTimeAsync(999);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([0, 1, 2]);
    expect(warnings).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['nonsense', 'soon' as unknown as Permits],
    ['no numbers', { granted: Number.NaN, waitMs: Number.NaN }],
    ['a negative wait', { granted: 0, waitMs: -5 }],
    ['no grant and no wait', { granted: 0, waitMs: 0 }],
    ['null for both', { granted: null, waitMs: null } as unknown as Permits],
    ['a wait that is longer than any window', { granted: 0, waitMs: 1e12 }],
    ['an endless wait', { granted: 0, waitMs: Infinity }],
  ])('treats a store that returns %s as unavailable', async (_, answer) => {
    const { store } = storeOf(answer);
    const warnings: string[] = [];
    const sent = acquireAll(
      createPacing(
        { ...limits, store },
        () => 'key',
        (message) => warnings.push(message),
      ),
      2,
    );
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([0, 1]);
    expect(warnings).toHaveLength(1);
  });

  it('waits no longer than the longest window', async () => {
    const { store } = storeOf({ granted: 0, waitMs: 60_500 });
    const warnings: string[] = [];
    const pacing = createPacing({ ...limits, store }, undefined, (message) => warnings.push(message));
    const sent = acquireAll(pacing, 1);
    await vi.advanceTimersByTimeAsync(60_499);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([0]);
    expect(warnings).toEqual([]);
  });

  it('asks a store again that never responded', async () => {
    const { store, asked } = storeOf(new Promise(() => {}));
    const warnings: string[] = [];
    const pacing = createPacing({ ...limits, store }, undefined, (message) => warnings.push(message));
    acquireAll(pacing, 1);
    await vi.advanceTimersByTimeAsync(6000);
    acquireAll(pacing, 1);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual([1, 1]);
    expect(warnings).toEqual([
      expect.stringContaining('no response within 1000 ms'),
      expect.stringContaining('shared with other processes again'),
    ]);
  });

  it('gives the store a SHA-256 of the key, never the key', async () => {
    vi.useRealTimers();
    const key = Promise.withResolvers<string>();
    const store: RateLimitStore = {
      take(request) {
        key.resolve(request.key);
        return Promise.resolve({ granted: request.count, waitMs: 0 });
      },
    };
    await sharedPacing('dq_live_secret', url, { ...limits, store }).acquire(undefined, () => {});
    const expected = createHash('sha256').update(`dq_live_secret ${url}`).digest('hex').slice(0, 32);
    expect(await key.promise).toBe(expected);
  });

  it('lets an aborted call leave while the store is asked, and keeps no permit for later', async () => {
    const answer = Promise.withResolvers<Permits>();
    const { store, asked } = storeOf(answer.promise);
    const pacing = createPacing({ ...limits, store });
    const controller = new AbortController();
    const waiting = pacing.acquire(controller.signal, () => {});
    controller.abort('enough');
    await expect(waiting).rejects.toBe('enough');
    answer.resolve({ granted: 1, waitMs: 0 });
    await vi.advanceTimersByTimeAsync(0);
    const sent = acquireAll(pacing, 1);
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([0]);
    expect(asked).toEqual([1, 1]);
    pacing.onResponse(ok);
  });
});
