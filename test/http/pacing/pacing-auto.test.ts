import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import type { RateLimit } from '../../../src/errors/rate-limit.ts';
import { createPacing } from '../../../src/http/pacing/create-pacing.ts';
import type { Pacing } from '../../../src/http/pacing/pacing.ts';
import { DataQualityClient } from '../../../src/index.ts';
import { apiKey, assetId, rejection } from '../../support/connect.ts';
import {
  bucket,
  fixedWindows,
  type Journey,
  play,
  type PlannedCall,
  type SimulatedAnswer,
  useFakeTime,
} from './pacing-simulation.ts';

useFakeTime();

function refusals(journeys: readonly Journey[]): number {
  return journeys.reduce((sum, journey) => sum + journey.refusals, 0);
}

function duration(journeys: readonly Journey[]): number {
  return Math.max(...journeys.map(({ doneAt = Infinity }) => doneAt));
}

function onResponse(pacing: Pacing, answer: SimulatedAnswer): void {
  pacing.onResponse({ rateLimit: undefined, retryAfterMs: undefined, ...answer });
}

function left(remaining: number, inMs: number): RateLimit {
  return { limit: 100, remaining, resetAt: new Date(Date.now() + inMs) };
}

const atOnce = (count: number, each: Partial<PlannedCall> = {}): PlannedCall[] =>
  Array.from({ length: count }, () => ({ at: 0, there: 3, back: 3, ...each }));

/** Bursts and trickles of calls with the delays of a network. */
const traffic = fc
  .array(
    fc.record({
      pause: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 700 })),
      there: fc.integer({ min: 0, max: 300 }),
      back: fc.integer({ min: 0, max: 1500 }),
    }),
    { minLength: 1, maxLength: 80, size: 'max' },
  )
  .map((plan) => {
    let at = 0;
    return plan.map(({ pause, ...rest }) => ({ at: (at += pause), ...rest }));
  });

const resets = fc.constantFrom('exact', 'whole seconds', 'seconds to go');

describe('a limiter that learns the limits', () => {
  it('never finds out by a 429 what the headers announce', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 10, max: 40 }),
        fc.constantFrom(1000, 5000, 60_000),
        fc.integer({ min: 0, max: 59_999 }),
        resets,
        traffic,
        async (limit, windowMs, offset, reset, plan) => {
          const respond = fixedWindows({
            limit,
            windowMs,
            offset,
            reset,
          });
          const journeys = await play(createPacing('auto'), plan, respond);
          expect(refusals(journeys)).toBe(0);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('every request eventually completes, whatever the responses', async () => {
    const answer = fc.record({
      status: fc.constantFrom(200, 200, 200, 429, 500),
      retryAfterMs: fc.option(fc.integer({ min: 0, max: 3000 }), { nil: undefined }),
      limit: fc.option(
        fc.record({
          limit: fc.nat(30),
          remaining: fc.nat(30),
          reset: fc.integer({ min: -10_000, max: 100_000 }),
        }),
        { nil: undefined },
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { maxLength: 60, size: 'max' }), traffic, async (answers, plan) => {
        let next = 0;
        const respond = (): SimulatedAnswer => {
          const given = answers[next++];
          if (given === undefined) return { status: 200 };
          const { limit, ...rest } = given;
          return {
            ...rest,
            rateLimit: limit && { ...limit, resetAt: new Date(Date.now() + limit.reset) },
          };
        };
        const journeys = await play(createPacing('auto'), plan, respond);
        expect(journeys.every(({ doneAt }) => doneAt !== undefined)).toBe(true);
        expect(vi.getTimerCount()).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  it('keeps the order of the calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 20 }), traffic, async (limit, plan) => {
        const respond = fixedWindows({ limit, windowMs: 1000 });
        const journeys = await play(createPacing('auto'), plan, respond);
        const first = journeys.map(({ sentAt }) => sentAt[0] ?? Infinity);
        expect(first).toEqual([...first].sort((a, b) => a - b));
      }),
      { numRuns: 150 },
    );
  });

  it('starts open', () => {
    const pacing = createPacing('auto');
    for (let call = 0; call < 10; call++) expect(pacing.acquire(undefined, () => {})).toBeUndefined();
  });

  it('is not slower than a service that sets no limit', async () => {
    const journeys = await play(createPacing('auto'), atOnce(500, { there: 10, back: 20 }), () => ({
      status: 200,
    }));
    // 10 at first, half as many more with each round.
    expect(duration(journeys)).toBeLessThanOrEqual(30 * 9);
  });

  it('does not hold slow calls back for long', async () => {
    const journeys = await play(createPacing('auto'), atOnce(100, { back: 60_000 }), () => ({ status: 200 }));
    expect(Math.max(...journeys.map(({ sentAt }) => sentAt[0] ?? Infinity))).toBeLessThanOrEqual(12_000);
  });

  describe.each([
    ['fixed windows that announce themselves', () => fixedWindows({ limit: 25, windowMs: 1000 })],
    [
      'windows that round their reset',
      () => fixedWindows({ limit: 25, windowMs: 1000, offset: 400, reset: 'whole seconds' }),
    ],
    [
      'windows that tell seconds to go',
      () => fixedWindows({ limit: 25, windowMs: 1000, offset: 400, reset: 'seconds to go' }),
    ],
    [
      'windows that announce nothing',
      () => fixedWindows({ limit: 25, windowMs: 1000, offset: 700, reset: 'none' }),
    ],
    ['a bucket that announces itself', () => bucket(25)],
    ['a bucket that rounds its reset', () => bucket(25, 'whole seconds')],
    ['a bucket that tells seconds to go', () => bucket(25, 'seconds to go')],
    ['a bucket that announces nothing', () => bucket(25, 'none')],
  ])('300 calls at once through 25 a second: %s', (_, service) => {
    it('takes at most a quarter longer than it must, with at most 25 429s', async () => {
      const journeys = await play(createPacing('auto'), atOnce(300), service());
      expect(refusals(journeys)).toBeLessThanOrEqual(25);
      expect(duration(journeys)).toBeLessThanOrEqual(11_000 * 1.25);
    });
  });

  it('learns the burst that only 429s reveal while the headers announce the minute', async () => {
    const minute = fixedWindows({ limit: 500, windowMs: 60_000, reset: 'whole seconds' });
    const second = fixedWindows({ limit: 25, windowMs: 1000 });
    const journeys = await play(createPacing('auto'), atOnce(300), () => {
      const burst = second();
      return burst.status === 429 ? { ...burst, rateLimit: undefined } : minute();
    });
    expect(refusals(journeys)).toBeLessThanOrEqual(25);
    expect(duration(journeys)).toBeLessThanOrEqual(11_000 * 1.25);
  });

  it('lets twenty parallel calls meet one 429, not twenty', async () => {
    const pacing = createPacing('auto');
    const closed = { until: 5000 };
    const respond = (): SimulatedAnswer =>
      performance.now() < closed.until
        ? { status: 429, retryAfterMs: closed.until - performance.now() }
        : { status: 200 };
    await play(pacing, atOnce(1), respond);
    closed.until = performance.now() + 5000;
    // They come while the first of them learns that the limit is reached.
    const plan = Array.from({ length: 20 }, (_, index) => ({ at: index * 10, there: 1, back: 1 }));
    expect(refusals(await play(pacing, plan, respond))).toBe(1);
  });

  it('sends nothing while closed, and one call first when it opens', async () => {
    const pacing = createPacing('auto');
    void pacing.acquire(undefined, () => {});
    onResponse(pacing, { status: 429, retryAfterMs: 3000 });
    let sent = 0;
    for (let call = 0; call < 10; call++) void pacing.acquire(undefined, () => {})?.then(() => sent++);
    await vi.advanceTimersByTimeAsync(2999);
    expect(sent).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toBe(1);
  });

  it('waits for the announced reset, and says so', async () => {
    const pacing = createPacing('auto');
    const told: unknown[] = [];
    void pacing.acquire(undefined, () => {});
    onResponse(pacing, { status: 200, rateLimit: left(0, 7000) });
    const waiting = pacing.acquire(undefined, (wait) => told.push(wait));
    expect(told).toEqual([
      { ms: 7000, reason: 'the service announced a limit of 100 requests, and none is left' },
    ]);
    await vi.advanceTimersByTimeAsync(7000);
    await waiting;
  });

  it('lets nobody overtake those who wait, not even in the moment in which it opens', async () => {
    const pacing = createPacing('auto');
    void pacing.acquire(undefined, () => {});
    onResponse(pacing, { status: 200, rateLimit: left(0, 7000) });
    const order: string[] = [];
    setTimeout(() => {
      const late = pacing.acquire(undefined, () => {}) ?? Promise.resolve();
      void late.then(() => order.push('late'));
    }, 7000);
    void pacing.acquire(undefined, () => {})?.then(() => order.push('early'));
    await vi.advanceTimersByTimeAsync(7000);
    expect(order).toEqual(['early', 'late']);
  });

  it('is not misled by a response that was overtaken', () => {
    const pacing = createPacing('auto');
    for (let call = 0; call < 3; call++) void pacing.acquire(undefined, () => {});
    onResponse(pacing, { status: 200, rateLimit: left(0, 7000) });
    onResponse(pacing, { status: 200, rateLimit: left(1, 7000) });
    onResponse(pacing, { status: 200, rateLimit: left(50, -10) });
    expect(pacing.acquire(undefined, () => {})).toBeInstanceOf(Promise);
    expect(pacing.rateLimit).toMatchObject({ remaining: 50 });
  });

  it('counts what is on its way against what remains', () => {
    const pacing = createPacing('auto');
    void pacing.acquire(undefined, () => {});
    onResponse(pacing, { status: 200, rateLimit: left(3, 7000) });
    for (let call = 0; call < 3; call++) expect(pacing.acquire(undefined, () => {})).toBeUndefined();
    expect(pacing.acquire(undefined, () => {})).toBeInstanceOf(Promise);
  });

  it.each(['ECONNREFUSED', 'ECONNRESET'])(
    'lets every call find out at once that all end in %s',
    async (code) => {
      const cause = Object.assign(new Error(`connect ${code}`), { code });
      const client = new DataQualityClient({
        apiKey,
        baseUrl: `https://${code.toLowerCase()}.test`,
        maxRetries: 0,
        fetch: () => Promise.reject(new TypeError('fetch failed', { cause })),
      });
      const start = performance.now();
      const calls = Array.from({ length: 100 }, () => rejection(client.validity.summary(assetId)));
      expect(await Promise.all(calls)).toEqual(calls.map(() => expect.objectContaining({ code })));
      expect(performance.now()).toBe(start);
    },
  );

  it('counts a call that may have arrived, although it got no response', () => {
    const pacing = createPacing('auto');
    for (let call = 0; call < 3; call++) void pacing.acquire(undefined, () => {});
    onResponse(pacing, { status: 200, rateLimit: left(4, 7000) });
    pacing.onNoResponse(performance.now(), true);
    pacing.onNoResponse(performance.now(), false);
    // Of the four that were left, one may be gone.
    for (let call = 0; call < 3; call++) expect(pacing.acquire(undefined, () => {})).toBeUndefined();
    expect(pacing.acquire(undefined, () => {})).toBeInstanceOf(Promise);
  });

  it('gives back the place of a call only as long as it has one', async () => {
    const pacing = createPacing('auto');
    void pacing.acquire(undefined, () => {});
    onResponse(pacing, { status: 200, rateLimit: left(5, 60_000) });
    const start = performance.now();
    const fill = (): void => {
      for (let call = 0; call < 5; call++) expect(pacing.acquire(undefined, () => {})).toBeUndefined();
    };
    fill();
    await vi.advanceTimersByTimeAsync(2000);
    fill();
    pacing.onNoResponse(start, false);
    const next = pacing.acquire(undefined, () => {});
    expect(next).toBeInstanceOf(Promise);
    pacing.onNoResponse(performance.now(), false);
    await next;
  });

  it('learns nothing from a 429 that came before anything was taken', async () => {
    const pacing = createPacing('auto');
    void pacing.acquire(undefined, () => {});
    onResponse(pacing, { status: 429, retryAfterMs: 0 });
    const journeys = await play(pacing, atOnce(30), () => ({ status: 200 }));
    expect(duration(journeys)).toBeLessThan(1000);
  });

  it('does not take one stray 429 at a quiet time for the limit', async () => {
    const pacing = createPacing('auto');
    for (let call = 0; call < 2; call++) {
      void pacing.acquire(undefined, () => {});
      onResponse(pacing, { status: 200 });
    }
    void pacing.acquire(undefined, () => {});
    onResponse(pacing, { status: 429, retryAfterMs: 1000 });
    const journeys = await play(pacing, atOnce(60), () => ({ status: 200 }));
    expect(duration(journeys)).toBeLessThan(2500);
  });

  it('learns a limit of two per second from the second 429', async () => {
    const plan = Array.from({ length: 40 }, (_, index) => ({ at: index * 10, there: 3, back: 3 }));
    const respond = fixedWindows({ limit: 2, windowMs: 1000, reset: 'none' });
    const journeys = await play(createPacing('auto'), plan, respond);
    expect(refusals(journeys)).toBeLessThanOrEqual(12);
    expect(duration(journeys)).toBeLessThanOrEqual(19_000 * 1.3);
  });
});
