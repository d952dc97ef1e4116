import { setTimeout as wait } from 'node:timers/promises';

import type { Clock } from '../../src/server/clock.ts';

const minute = 60_000;

/**
 * A clock that runs so many times faster from a moment on, in ms since 1970: the same in every process that names it.
 * Waits of less than a minute take as long as ever: no network is faster.
 */
export function fastClock(from: number, speed: number): Clock {
  return {
    now: () => from + (Date.now() - from) * speed,
    sleep: async (ms, signal) => {
      const left = Math.max(0, ms < minute ? ms : ms / speed);
      await wait(left, undefined, { signal, ref: false }).catch(() => undefined);
    },
  };
}
