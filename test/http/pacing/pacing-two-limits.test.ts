import { describe, expect, it, vi } from 'vitest';

import { createPacing } from '../../../src/http/pacing/create-pacing.ts';
import type { RateLimitOption } from '../../../src/http/pacing/rate-limit-option.ts';
import { play, useFakeTime } from './pacing-simulation.ts';
import {
  type Described,
  leastMs,
  type TwoLimits,
  twoLimitService,
  type WindowKind,
} from './two-limit-service.ts';

useFakeTime();

async function run(
  limits: TwoLimits,
  count: number,
  there = 3,
  option: RateLimitOption = 'auto',
): Promise<{ refusals: number; ratio: number }> {
  const plan = Array.from({ length: count }, () => ({ at: 0, there, back: there }));
  const least = leastMs(limits, count);
  const journeys = await play(createPacing(option), plan, twoLimitService(limits));
  const ms = Math.max(...journeys.map(({ doneAt = Infinity }) => doneAt));
  return { refusals: journeys.reduce((sum, journey) => sum + journey.refusals, 0), ratio: ms / least };
}

const perSecond = 20;
const exactSecond = {
  perSecond: 100,
  perMinute: 5000,
  described: 'second',
  reset: 'ms since 1970',
  hasRetryAfter: true,
  offset: 0,
} as const;
const resets = [
  { reset: 'seconds to go', offset: 0 },
  { reset: 'seconds since 1970', offset: 430 },
  { reset: 'ms since 1970', offset: 990 },
] as const;

const kinds: readonly WindowKind[] = ['fixed', 'sliding', 'bucket'];
const described: readonly { described: Described; hasRetryAfter: boolean }[] = [
  { described: 'second', hasRetryAfter: true },
  { described: 'second', hasRetryAfter: false },
  { described: 'minute', hasRetryAfter: true },
  { described: 'minute', hasRetryAfter: false },
  { described: 'none', hasRetryAfter: true },
  { described: 'none', hasRetryAfter: false },
  // Without a Retry-After nobody could know that the minute is not empty.
  { described: 'empty minute', hasRetryAfter: true },
];

const combinations = kinds.flatMap((kind) =>
  described.flatMap(({ hasRetryAfter, ...rest }) => [
    { kind, ...rest, hasRetryAfter, perMinute: 200 },
    { kind, ...rest, hasRetryAfter, perMinute: 6000 },
  ]),
);

describe('a service that counts a second and a minute', () => {
  it.each(combinations)(
    'accepts 300 requests in at most 1.3 × the least time: $kind, $perMinute per minute, headers of $described, Retry-After $hasRetryAfter',
    async (combination) => {
      // Nothing tells that the minute is full: a whole second of requests may be on its way when it is.
      const isHidden =
        combination.perMinute === 200 &&
        !combination.hasRetryAfter &&
        ['second', 'none'].includes(combination.described);
      for (const reset of resets) {
        const { refusals, ratio } = await run({ ...combination, ...reset, perSecond }, 300);
        expect(refusals).toBeLessThanOrEqual(isHidden ? perSecond + 8 : 25);
        expect(ratio).toBeLessThanOrEqual(1.3);
      }
    },
  );

  it.each(kinds)(
    'goes on when Retry-After says so, although the headers of the 429 say an empty minute: %s',
    async (kind) => {
      const service = { described: 'empty minute', hasRetryAfter: true, perSecond, perMinute: 6000 } as const;
      for (const reset of resets) {
        expect((await run({ kind, ...service, ...reset }, 120)).ratio).toBeLessThanOrEqual(1.3);
      }
    },
  );

  it.each([3, 15, 40])(
    'is never met too often when its windows slide by resets in exact ms, at %i ms each way',
    async (there) => {
      const limits = { ...exactSecond, kind: 'sliding' } as const;
      const { refusals, ratio } = await run(limits, 240, there);
      expect(refusals).toBe(0);
      expect(ratio).toBeLessThanOrEqual(1.3);
    },
  );

  const announcements = (['fixed', 'sliding'] as const).flatMap((kind) =>
    resets.map((reset) => ({ kind, described: 'minute', hasRetryAfter: true, ...reset }) as const),
  );

  it.each([
    { perSecond: 25, perMinute: 500 },
    { perSecond: 50, perMinute: 1000 },
    { perSecond: 100, perMinute: 5000 },
  ])('is never met too often when it announces the minute of a tier: $perMinute', async (tier) => {
    // In the last two seconds of a minute it could not be distinguished from a second.
    vi.setSystemTime('2026-03-01T12:00:10Z');
    for (const announcement of announcements) {
      const { refusals, ratio } = await run({ ...announcement, ...tier }, 240, 15);
      const told = await run({ ...announcement, ...tier }, 240, 15, tier);
      expect(refusals).toBe(0);
      expect(ratio).toBeLessThanOrEqual(Math.max(1.1, told.ratio * 1.3));
    }
  });

  it.each([
    { perSecond: 2, perMinute: 20 },
    { perSecond: 3, perMinute: 30 },
  ])('learns nothing wrong from what was refused before it announced a tier: $perMinute', async (tier) => {
    vi.setSystemTime('2026-03-01T12:00:10Z');
    for (const announcement of announcements) {
      const { refusals, ratio } = await run({ ...announcement, ...tier }, tier.perMinute, 15);
      expect(refusals).toBeLessThan(10);
      expect(ratio).toBeLessThanOrEqual(1.2);
    }
  });

  it('is not taken for a tier when the limit that it announces is that of a second', async () => {
    const limits = { perSecond: 500, perMinute: 30_000, described: 'second', hasRetryAfter: true } as const;
    for (const reset of resets) {
      const { refusals, ratio } = await run({ kind: 'fixed', ...limits, ...reset }, 1200, 15);
      expect(refusals).toBe(0);
      expect(ratio).toBeLessThan(5);
    }
  });
});
