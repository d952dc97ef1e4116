import type { Backend } from '../service/context.ts';
import { Sender } from './delivery.ts';
import { repeat } from './repeat.ts';
import { runDue } from './schedule.ts';
import { watch, type WatchParts } from './watch.ts';

/** Milliseconds between two looks at the data, and at what is due. */
const pause = 60_000;

/** What goes on by itself while the service listens. */
export interface BackgroundParts extends Omit<WatchParts, 'sender'> {
  readonly backend: Backend;
  readonly onError: (error: unknown) => void;
}

/** Work that goes on until it is stopped. */
export interface Background {
  /** Begins nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** Starts the schedules and, where there are destinations, the watch over the data and the deliveries. */
export async function startBackground(parts: BackgroundParts): Promise<Background> {
  const { state, backend, destinations, clock, onError } = parts;
  const stopping = new AbortController();
  const repetition = { clock, pause, signal: stopping.signal, onError };
  const sender = new Sender({ state, destinations, clock, onError });
  await sender.resume();
  const loops = [
    repeat(async () => runDue(state, backend, stopping.signal), repetition),
    // Events that nobody is told of are not looked for.
    ...(destinations.length === 0 ? [] : [repeat(async () => watch({ ...parts, sender }), repetition)]),
  ];
  return {
    async stop() {
      stopping.abort();
      await Promise.all([...loops, sender.close()]);
    },
  };
}
