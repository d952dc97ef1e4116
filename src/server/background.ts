import { type FreshnessWatchParts, watchFreshness } from './freshness-watch.ts';
import { repeat } from './repeat.ts';
import { purge } from './retention.ts';
import { runDue } from './schedule.ts';
import { watch, type WatchParts } from './watch.ts';

/** Milliseconds between two scans of the data, and between two checks of what is due. */
const pause = 60_000;

/** Milliseconds between two purges of what is too old. */
const purgeInterval = 3_600_000;

/** What goes on by itself while the service listens. */
export interface BackgroundParts extends Omit<WatchParts, 'evaluation'>, FreshnessWatchParts {
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
  const { state, backend, datedAssets, destinations, worker, clock, retentionDays, onError } = parts;
  const stopping = new AbortController();
  const repetition = { clock, pause, signal: stopping.signal, onError };
  await worker.resume();
  let purgedAt = Number.NEGATIVE_INFINITY;
  const runSchedule = async () => {
    await runDue(state, backend, stopping.signal);
    if (clock.now() - purgedAt < purgeInterval) return;
    purgedAt = clock.now();
    await purge(state, retentionDays, purgedAt);
  };
  const { evaluation } = backend;
  const loops = [
    repeat(runSchedule, repetition),
    ...(datedAssets.length === 0 ? [] : [repeat(async () => watchFreshness(parts), repetition)]),
    // Events that nobody receives are not looked for.
    ...(destinations.length === 0 ? [] : [repeat(async () => watch({ ...parts, evaluation }), repetition)]),
  ];
  return {
    async stop() {
      stopping.abort();
      await Promise.all([...loops, worker.close()]);
    },
  };
}
