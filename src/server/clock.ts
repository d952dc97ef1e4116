import { setTimeout as wait } from 'node:timers/promises';

/** What time it is, and how it passes. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The clock of this machine; its waits keep no process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await wait(Math.max(0, ms), undefined, { signal, ref: false });
    } catch {
      // Ended by the signal, which is not a failure.
    }
  },
};
