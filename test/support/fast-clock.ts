import { setTimeout as wait } from 'node:timers/promises';

import type { Clock } from '../../src/server/clock.ts';

/** A clock that runs so many times faster from a moment on, in ms since 1970: the same in every process that names it. */
export function fastClock(from: number, speed: number): Clock {
  return {
    now: () => from + (Date.now() - from) * speed,
    sleep: async (ms, signal) => {
      await wait(Math.max(0, ms / speed), undefined, { signal, ref: false }).catch(() => undefined);
    },
  };
}
