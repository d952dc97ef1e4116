import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { createPacing } from '../../../src/http/pacing/create-pacing.ts';
import type { Pacing } from '../../../src/http/pacing/pacing.ts';
import { DataQualityClient } from '../../../src/index.ts';
import { assetId, rejection } from '../../support/connect.ts';
import { fixedWindows, mostInAnyWindow, play, type PlannedCall, useFakeTime } from './pacing-simulation.ts';

useFakeTime();

const ok = (): { status: number } => ({ status: 200 });

/** Bursts and trickles of calls. `there` and `back` bound how long each way takes. */
function calls(there: number, back: number): fc.Arbitrary<PlannedCall[]> {
  const call = fc.record({
    pause: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 900 })),
    abortAfter: fc.option(fc.integer({ min: 0, max: 5000 }), { nil: undefined, freq: 4 }),
    there: fc.integer({ min: 0, max: there }),
    back: fc.integer({ min: 0, max: back }),
  });
  return fc.array(call, { minLength: 1, maxLength: 60, size: 'max' }).map((plan) => {
    let at = 0;
    return plan.map(({ pause, ...rest }) => ({ at: (at += pause), ...rest }));
  });
}

const limits = fc
  .record({ perSecond: fc.integer({ min: 1, max: 10 }), factor: fc.integer({ min: 1, max: 20 }) })
  .map(({ perSecond, factor }) => ({ perSecond, perMinute: perSecond * factor }));

describe('a limiter with fixed limits', () => {
  it('lets no more through in any second or minute, as sent and as they arrive', async () => {
    await fc.assert(
      fc.asyncProperty(limits, calls(500, 3000), async (option, plan) => {
        const journeys = await play(createPacing(option), plan, ok);
        for (const moments of ['sentAt', 'arrivedAt'] as const) {
          const times = journeys.flatMap((journey) => journey[moments]);
          expect(mostInAnyWindow(times, 1000)).toBeLessThanOrEqual(option.perSecond);
          expect(mostInAnyWindow(times, 60_000)).toBeLessThanOrEqual(option.perMinute);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('is never idle while there is room, keeps the order, and lets an aborted call leave at once', async () => {
    await fc.assert(
      fc.asyncProperty(limits, calls(0, 0), async (option, plan) => {
        const journeys = await play(createPacing(option), plan, ok);
        // The simplest account of the same thing: the n-th call goes a window after the one `limit` before it.
        const sent: number[] = [];
        const expected = plan.map(({ at, abortAfter = Infinity }, index) => {
          const second = sent.at(-option.perSecond) ?? -Infinity;
          const minute = sent.at(-option.perMinute) ?? -Infinity;
          const due = Math.max(at, second + 1000, minute + 60_000);
          // Aborted at the very moment it is due, it may go or not.
          const goes = at + abortAfter === due ? journeys[index]?.sentAt.length === 1 : at + abortAfter > due;
          if (goes) sent.push(due);
          return goes ? { sentAt: [due] } : { sentAt: [], abortedAt: at + abortAfter };
        });
        expect(journeys).toMatchObject(expected);
      }),
      { numRuns: 150 },
    );
  });

  it('holds slow calls back no longer than one may be on its way', async () => {
    await fc.assert(
      fc.asyncProperty(limits, calls(500, 30_000), async (option, plan) => {
        const kept = plan.map((call) => ({ ...call, abortAfter: undefined }));
        const sent = (await play(createPacing(option), kept, ok)).flatMap(({ sentAt }) => sentAt);
        sent.forEach((time, index) => {
          const after = (limit: number, windowMs: number): number =>
            (sent[index - limit] ?? -Infinity) + windowMs + 500;
          const due = Math.max(
            kept[index]?.at ?? 0,
            after(option.perSecond, 1000),
            after(option.perMinute, 60_000),
          );
          expect(time).toBeLessThanOrEqual(due);
        });
      }),
      { numRuns: 100 },
    );
  });

  it('gets no 429 from fixed windows, wherever they begin, and loses next to no time', async () => {
    const plan = Array.from({ length: 300 }, () => ({ at: 0, there: 3, back: 3 }));
    for (const offset of [0, 123, 500, 999]) {
      const respond = fixedWindows({ limit: 25, windowMs: 1000, offset });
      const journeys = await play(createPacing({ perMinute: 100_000, perSecond: 25 }), plan, respond);
      expect(journeys.reduce((sum, { refusals }) => sum + refusals, 0)).toBe(0);
      expect(Math.max(...journeys.map(({ doneAt = Infinity }) => doneAt))).toBeLessThan(11_000 * 1.08);
    }
  });

  it('closes for all when a 429 comes all the same, and then opens one by one', async () => {
    const pacing = createPacing({ perMinute: 1000, perSecond: 100 });
    const answer = { rateLimit: undefined, retryAfterMs: undefined };
    expect(pacing.acquire(undefined, () => {})).toBeUndefined();
    pacing.onResponse({ ...answer, status: 429, retryAfterMs: 5000 });
    const sent: number[] = [];
    for (let call = 0; call < 5; call++)
      void pacing.acquire(undefined, () => {})?.then(() => sent.push(call));
    await vi.advanceTimersByTimeAsync(4999);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([0]);
    pacing.onResponse({ ...answer, status: 200 });
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([0, 1, 2]);
  });

  it('does not make others wait for a Retry-After that is longer than any window', () => {
    const pacing = createPacing({ perMinute: 1000, perSecond: 100 });
    pacing.onResponse({ status: 429, retryAfterMs: 3_600_000, rateLimit: undefined });
    expect(pacing.acquire(undefined, () => {})).toBeUndefined();
  });
});

const three = { perMinute: 1000, perSecond: 3 };

function sendThree(pacing: Pacing): void {
  for (let call = 0; call < 3; call++) expect(pacing.acquire(undefined, () => {})).toBeUndefined();
}

describe('a request that was never sent', () => {
  it.each([0, 400, 700])('gives its place back at once, %i ms after it was acquired', async (ms) => {
    const pacing = createPacing(three);
    const start = performance.now();
    sendThree(pacing);
    const next = pacing.acquire(undefined, () => {});
    await vi.advanceTimersByTimeAsync(ms);
    pacing.onNoResponse(start, false);
    await next;
    expect(performance.now()).toBe(start + ms);
    expect(pacing.acquire(undefined, () => {})).toBeInstanceOf(Promise);
  });

  it('gives back nothing if its window is over, or if it may have arrived', async () => {
    const pacing = createPacing(three);
    const start = performance.now();
    sendThree(pacing);
    await vi.advanceTimersByTimeAsync(1500);
    sendThree(pacing);
    pacing.onNoResponse(start, false);
    pacing.onNoResponse(performance.now(), true);
    expect(pacing.acquire(undefined, () => {})).toBeInstanceOf(Promise);
  });

  it.each(['auto', three] as const)(
    'frees the place when the function that gives the key fails: %j',
    async (rateLimit) => {
      let asked = 0;
      const client = new DataQualityClient({
        apiKey: () => (asked++ < 30 ? Promise.reject(new Error('no key')) : 'dq_live_key'),
        baseUrl: `https://${JSON.stringify(rateLimit).length}.test`,
        rateLimit,
        maxRetries: 0,
        fetch: () => Promise.resolve(Response.json({ data: [] })),
      });
      const start = performance.now();
      const failed = Array.from({ length: 30 }, () => rejection(client.validity.summary(assetId)));
      expect(await Promise.all(failed)).toEqual(
        failed.map(() => expect.objectContaining({ name: 'ConfigurationError' })),
      );
      expect(performance.now()).toBe(start);
    },
  );
});

describe('waiting', () => {
  it('reports to each call how long it waits and why', async () => {
    const pacing = createPacing({ perMinute: 1000, perSecond: 2 });
    const told: { ms: number; reason: string }[] = [];
    for (let call = 0; call < 7; call++) {
      void pacing.acquire(undefined, (wait) => told.push(wait));
      pacing.onResponse({ status: 200, retryAfterMs: undefined, rateLimit: undefined });
    }
    expect(told.map(({ ms }) => ms)).toEqual([1000, 1000, 2000, 2000, 3000]);
    expect(told[0]?.reason).toBe('the limit is 2 requests per second');
  });

  it('reports again when a 429 makes the wait longer', async () => {
    const pacing = createPacing({ perMinute: 1000, perSecond: 1 });
    const told: number[] = [];
    void pacing.acquire(undefined, () => {});
    void pacing.acquire(undefined, ({ ms }) => told.push(ms));
    pacing.onResponse({ status: 429, retryAfterMs: 30_000, rateLimit: undefined });
    expect(told).toEqual([1500, 30_000]);
  });

  it('rejects with the reason of the signal, leaves no listener and no timer', async () => {
    const pacing = createPacing({ perMinute: 1000, perSecond: 1 });
    void pacing.acquire(undefined, () => {});
    const controller = new AbortController();
    const { signal } = controller;
    const add = vi.spyOn(signal, 'addEventListener');
    const remove = vi.spyOn(signal, 'removeEventListener');
    const waiting = pacing.acquire(signal, () => {});
    expect(vi.getTimerCount()).toBe(1);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(vi.getTimerCount()).toBe(0);
    expect(remove).toHaveBeenCalledTimes(add.mock.calls.length);
    await expect(pacing.acquire(signal, () => {})).rejects.toThrow('enough');
  });

  it('keeps no timer once all calls are through', async () => {
    const pacing = createPacing({ perMinute: 1000, perSecond: 1 });
    void pacing.acquire(undefined, () => {});
    const second = pacing.acquire(undefined, () => {});
    await vi.advanceTimersByTimeAsync(1500);
    await second;
    expect(vi.getTimerCount()).toBe(0);
  });
});
