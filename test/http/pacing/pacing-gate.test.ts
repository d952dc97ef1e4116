import { expect, it } from 'vitest';

import { createPacing } from '../../../src/http/pacing/create-pacing.ts';
import type { RateLimitOption } from '../../../src/http/pacing/rate-limit-option.ts';
import { play, useFakeTime } from './pacing-simulation.ts';
import { leastMs, twoLimitService, type WindowKind } from './two-limit-service.ts';

useFakeTime();

const latencyMs = 30;
/** The least for who keeps to 100 in any second, wherever the windows of the service begin. */
const leastOfAnySecondMs = 2000 + latencyMs;

const cases: readonly [WindowKind, RateLimitOption][] = [
  ['fixed', 'auto'],
  ['fixed', { tier: 'enterprise' }],
  ['sliding', { tier: 'enterprise' }],
];

it.each(cases)(
  'sends 240 requests through 100 per second without a 429 in 1.1 × the least time: %s windows, %j',
  async (kind, option) => {
    for (const offset of [0, 430, 990]) {
      const service = {
        kind,
        offset,
        reset: 'ms since 1970',
        perSecond: 100,
        perMinute: 5000,
        hasRetryAfter: true,
        described: 'second',
      } as const;
      const plan = Array.from({ length: 240 }, () => ({ at: 0, there: latencyMs / 2, back: latencyMs / 2 }));
      // The first request reaches the service later than it is sent, which moves the windows.
      const least =
        option === 'auto'
          ? leastMs({ ...service, offset: offset - latencyMs / 2 }, plan.length) + latencyMs
          : leastOfAnySecondMs;
      const journeys = await play(createPacing(option), plan, twoLimitService(service));
      expect(journeys.filter(({ refusals }) => refusals > 0)).toEqual([]);
      expect(Math.max(...journeys.map(({ doneAt = Infinity }) => doneAt))).toBeLessThanOrEqual(1.1 * least);
    }
  },
);
