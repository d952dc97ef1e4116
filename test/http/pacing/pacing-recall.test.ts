import { describe, expect, it, vi } from 'vitest';

import { ConfigurationError } from '../../../src/errors/configuration-error.ts';
import { createPacing } from '../../../src/http/pacing/create-pacing.ts';
import type { RateLimitOption } from '../../../src/http/pacing/rate-limit-option.ts';
import type { RateLimitStore } from '../../../src/http/pacing/rate-limit-store.ts';
import { type Journey, play, useFakeTime } from './pacing-simulation.ts';
import { twoLimitService } from './two-limit-service.ts';

useFakeTime();

/** A store in memory, which forgets nothing, or recalls what it is given. */
function memory(recall?: () => Promise<unknown>) {
  const remembered: [key: string, perSecond: number, ms: number][] = [];
  const store: RateLimitStore = {
    take: async ({ count }) => ({ granted: count, waitMs: 0 }),
    async recall() {
      const perSecond = remembered.at(-1)?.[1];
      // A store can return anything, whatever its type says.
      if (recall !== undefined) return (await recall()) as { perSecond: number };
      return perSecond === undefined ? undefined : { perSecond };
    },
    async remember(key, { perSecond }, ms) {
      remembered.push([key, perSecond, ms]);
    },
  };
  return { store, remembered };
}

/** Calls of a process of its own through 25 a second, of which no header says anything. */
async function runProcess(option: RateLimitOption, warn?: (message: string) => void): Promise<Journey[]> {
  const service = twoLimitService({
    kind: 'fixed',
    offset: 0,
    reset: 'ms since 1970',
    perSecond: 25,
    perMinute: 5000,
    hasRetryAfter: true,
    described: 'none',
  });
  const plan = Array.from({ length: 240 }, () => ({ at: 0, there: 15, back: 15 }));
  const journeys = await play(
    createPacing(option, () => 'key', warn),
    plan,
    service,
  );
  // The next process comes when the windows of this one are over.
  await vi.advanceTimersByTimeAsync(120_000 - (Date.now() % 60_000));
  return journeys;
}

function refusals(journeys: readonly Journey[]): number {
  return journeys.reduce((sum, journey) => sum + journey.refusals, 0);
}

function duration(journeys: readonly Journey[]): number {
  return Math.max(...journeys.map(({ doneAt = Infinity }) => doneAt));
}

describe('a store that remembers', () => {
  it('begins with what the last process learned', async () => {
    const { store, remembered } = memory();
    const first = await runProcess({ auto: true, store });
    expect(remembered.length).toBeGreaterThan(0);
    expect(remembered.at(-1)).toEqual(['key', expect.any(Number), 3_600_000]);
    expect(remembered.at(-1)?.[1]).toBeGreaterThanOrEqual(20);
    expect(remembered.at(-1)?.[1]).toBeLessThanOrEqual(25);
    const second = await runProcess({ auto: true, store });
    expect(refusals(second)).toBeLessThan(refusals(first) / 2);
    expect(duration(second)).toBeLessThanOrEqual(duration(first));
  });

  it.each([
    ['a number that no tier allows', async () => ({ perSecond: 1e9 })],
    ['less than the least tier', async () => ({ perSecond: 0 })],
    ['half a request', async () => ({ perSecond: 2.5 })],
    ['a text', async () => ({ perSecond: '50' })],
    ['no object', async () => 50],
    ['null', async () => null],
    ['nothing', async () => undefined],
  ])('learns as without a store if it recalls %s', async (_, recall) => {
    const warn = vi.fn<(message: string) => void>();
    const without = await runProcess('auto');
    expect(await runProcess({ auto: true, store: memory(recall).store }, warn)).toEqual(without);
    expect(warn).not.toHaveBeenCalled();
  });

  it('gets over a limit that is too low by now', async () => {
    const { store } = memory(async () => ({ perSecond: 2 }));
    const pacing = createPacing({ auto: true, store });
    const plan = Array.from({ length: 240 }, () => ({ at: 0, there: 15, back: 15 }));
    const journeys = await play(pacing, plan, () => ({ status: 200 }));
    // At two a second it would take two minutes.
    expect(duration(journeys)).toBeLessThan(60_000);
  });

  it.each([
    ['fails', async () => Promise.reject(new Error('connection lost')), 'connection lost', 0],
    ['does not respond', () => new Promise(() => {}), 'no response within 1000 ms', 1000],
  ])('waits no longer than a second for one that %s, and warns once', async (_, recall, message, waited) => {
    const warn = vi.fn<(message: string) => void>();
    const pacing = createPacing({ auto: true, store: memory(recall).store }, () => 'key', warn);
    const [only] = await play(pacing, [{ at: 0, there: 1, back: 1 }], () => ({ status: 200 }));
    expect(only?.sentAt).toEqual([waited]);
    await play(pacing, [{ at: 0, there: 1, back: 1 }], () => ({ status: 200 }));
    expect(warn.mock.calls).toEqual([[expect.stringContaining(message)]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ignores what is recalled after the second', async () => {
    const late = Promise.withResolvers<unknown>();
    const pacing = createPacing({ auto: true, store: memory(() => late.promise).store });
    await play(pacing, [{ at: 0, there: 1, back: 1 }], () => ({ status: 200 }));
    late.resolve({ perSecond: 2 });
    await vi.advanceTimersByTimeAsync(2000);
    const sent = Array.from({ length: 5 }, () => pacing.acquire(undefined, () => {}));
    expect(sent).toEqual(Array.from({ length: 5 }, () => undefined));
  });

  it.each([
    ['take alone', { take: async () => ({ granted: 1, waitMs: 0 }) }, /must have the methods recall/],
    ['nothing', undefined, /rateLimit\.store: must have a method take/],
  ])('is refused with %s', (_, store, message) => {
    const make = (): unknown => createPacing({ auto: true, store: store as unknown as RateLimitStore });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });
});
