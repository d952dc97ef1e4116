import type { Backend } from '../service/context.ts';
import { type FreshnessWatchParts, watchFreshness } from './freshness-watch.ts';
import type { Claim } from './outcome.ts';
import { repeat } from './repeat.ts';
import { purge } from './retention.ts';
import type { Jobs } from './jobs.ts';
import { Schedule } from './schedule.ts';
import { takeTurn } from './turn.ts';
import { watch, type WatchParts } from './watch.ts';

/** Milliseconds between two scans of the data, and between two checks of what is due. */
const pause = 60_000;

/** Milliseconds between two purges of what is too old. */
const purgeInterval = 3_600_000;

/** What goes on by itself while the service listens. */
export interface BackgroundParts extends Omit<WatchParts, 'evaluation'>, FreshnessWatchParts {
  readonly jobs: Jobs;
  /** Returns what runs a check or a capture whose outcome is stored only if it redeems the claim. */
  readonly backendFor: (claim: Claim) => Backend;
  /** Days that results, snapshots and deliveries are kept. */
  readonly retentionDays: number;
  readonly onError: (error: unknown) => void;
}

/** Work that goes on until it is stopped. */
export interface Background {
  /** Begins nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/**
 * Starts the schedules, the purges, the watch over freshness if it is configured and, if there are destinations, the
 * watch over the data and the deliveries.
 */
export async function startBackground(parts: BackgroundParts): Promise<Background> {
  const {
    state,
    jobs,
    backend,
    backendFor,
    datedAssets,
    destinations,
    worker,
    clock,
    retentionDays,
    onError,
  } = parts;
  const stopping = new AbortController();
  const repetition = { clock, pause, signal: stopping.signal, onError };
  const { signal } = stopping;
  const now = () => clock.now();
  const schedule = new Schedule({ state, jobs, backendFor, now, signal });
  await schedule.start();
  await worker.start();
  let purgedAt = Number.NEGATIVE_INFINITY;
  const runSchedule = async () => {
    await worker.resume();
    await schedule.look();
    if (now() - purgedAt < purgeInterval) return;
    purgedAt = now();
    if (await takeTurn(state, 'purge', purgedAt, purgeInterval / 2))
      await purge(state, retentionDays, purgedAt);
  };
  const { evaluation } = backend;
  const watchData = async () => {
    if (await takeTurn(state, 'watch', now(), pause / 2)) await watch({ ...parts, evaluation });
  };
  const loops = [
    repeat(runSchedule, repetition),
    ...(datedAssets.length === 0 ? [] : [repeat(async () => watchFreshness(parts), repetition)]),
    // Events that nobody receives are not looked for.
    ...(destinations.length === 0 ? [] : [repeat(watchData, repetition)]),
  ];
  return {
    async stop() {
      stopping.abort();
      worker.stop();
      await Promise.all([...loops, jobs.close()]);
    },
  };
}
