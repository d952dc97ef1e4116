import { afterEach, beforeEach, vi } from 'vitest';

import type { RateLimit } from '../../../src/errors/rate-limit.ts';
import type { Pacing } from '../../../src/http/pacing/pacing.ts';

/** Replaces every clock and timer that pacing uses; the time of day is always the same, as windows are counted from it. */
export function useFakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({
      now: 1_800_000_000_000,
      toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'],
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

export interface SimulatedAnswer {
  readonly status: number;
  readonly rateLimit?: RateLimit | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** What a simulated service says to a request that reaches it now. */
export type Respond = () => SimulatedAnswer;

/** One call of a scenario; times in ms. */
export interface PlannedCall {
  /** When it is made. */
  readonly at: number;
  /** When its signal aborts, after it was made. */
  readonly abortAfter?: number | undefined;
  /** From sending to the service, and back. */
  readonly there: number;
  readonly back: number;
}

/** What became of a call. */
export interface Journey {
  readonly index: number;
  /** The moments at which it was sent: once, and once more for each 429. */
  readonly sentAt: number[];
  readonly arrivedAt: number[];
  refusals: number;
  abortedAt?: number;
  doneAt?: number;
}

function sleep(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => void setTimeout(resolve, ms)) : Promise.resolve();
}

/** Plays calls, sent again after each 429, against a simulated service, and returns what became of them. */
export async function play(
  pacing: Pacing,
  plan: readonly PlannedCall[],
  respond: Respond,
  maxMs = 7_200_000,
): Promise<Journey[]> {
  const start = performance.now();
  const clock = (): number => performance.now() - start;

  async function travel(call: PlannedCall, journey: Journey): Promise<void> {
    await sleep(call.at);
    const controller = new AbortController();
    const signal = call.abortAfter === undefined ? undefined : controller.signal;
    if (call.abortAfter !== undefined) setTimeout(() => controller.abort('enough'), call.abortAfter);
    for (;;) {
      try {
        const admitted = pacing.acquire(signal, () => {});
        if (admitted !== undefined) await admitted;
      } catch (reason) {
        if (reason !== 'enough') throw reason;
        journey.abortedAt = clock();
        return;
      }
      journey.sentAt.push(clock());
      await sleep(call.there);
      journey.arrivedAt.push(clock());
      const answer = respond();
      await sleep(call.back);
      pacing.onResponse({ rateLimit: undefined, retryAfterMs: undefined, ...answer });
      if (answer.status !== 429) break;
      journey.refusals++;
    }
    journey.doneAt = clock();
  }

  const journeys = plan.map((_, index): Journey => ({ index, sentAt: [], arrivedAt: [], refusals: 0 }));
  const all = Promise.all(plan.map((call, index) => travel(call, journeys[index] ?? never())));
  const progress = { finished: false };
  const finish = (): void => void (progress.finished = true);
  all.then(finish, finish);
  while (!progress.finished) {
    if (clock() > maxMs) throw new Error(`not finished after ${maxMs} ms`);
    await vi.advanceTimersToNextTimerAsync();
  }
  await all;
  return journeys;
}

function never(): never {
  throw new Error('unreachable');
}

/** Most of `times` that fall into any window of `windowMs`, its end excluded. */
export function mostInAnyWindow(times: readonly number[], windowMs: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  let most = 0;
  let first = 0;
  sorted.forEach((time, index) => {
    while ((sorted[first] ?? time) <= time - windowMs) first++;
    most = Math.max(most, index - first + 1);
  });
  return most;
}

export interface WindowsOptions {
  readonly limit: number;
  readonly windowMs: number;
  /** Where the first window begins, in ms. */
  readonly offset?: number;
  /** How the headers write the reset, for a service that rounds up to whole seconds. */
  readonly reset?: 'exact' | 'whole seconds' | 'seconds to go' | 'none';
}

/** A service with fixed windows. */
export function fixedWindows({ limit, windowMs, offset = 0, reset = 'exact' }: WindowsOptions): Respond {
  let window = -1;
  let used = 0;
  return () => {
    const now = Date.now();
    const current = Math.floor((now - offset) / windowMs);
    if (current !== window) used = 0;
    window = current;
    const end = (current + 1) * windowMs + offset;
    const allowed = used < limit;
    if (allowed) used++;
    return {
      status: allowed ? 200 : 429,
      retryAfterMs: allowed ? undefined : Math.ceil((end - now) / 1000) * 1000,
      rateLimit: announce({ limit, remaining: limit - used, end, reset }),
    };
  };
}

/** A service with a bucket that holds `limit` requests and fills up in a second. */
export function bucket(limit: number, reset: WindowsOptions['reset'] = 'exact'): Respond {
  let tokens = limit;
  let filledAt = Date.now();
  return () => {
    const now = Date.now();
    tokens = Math.min(limit, tokens + ((now - filledAt) * limit) / 1000);
    filledAt = now;
    const allowed = tokens >= 1;
    if (allowed) tokens--;
    const end = now + ((limit - tokens) / limit) * 1000;
    return {
      status: allowed ? 200 : 429,
      retryAfterMs: allowed ? undefined : 1000,
      rateLimit: announce({ limit, remaining: Math.floor(tokens), end, reset }),
    };
  };
}

function announce(state: {
  limit: number;
  remaining: number;
  end: number;
  reset: WindowsOptions['reset'];
}): RateLimit | undefined {
  const { limit, remaining, end, reset } = state;
  if (reset === 'none') return undefined;
  const now = Date.now();
  const resetAt =
    reset === 'exact'
      ? end
      : reset === 'whole seconds'
        ? Math.ceil(end / 1000) * 1000
        : now + Math.ceil((end - now) / 1000) * 1000;
  return { limit, remaining, resetAt: new Date(resetAt) };
}
