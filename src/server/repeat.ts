import type { Clock } from './clock.ts';

/** How a task is repeated. */
export interface Repetition {
  readonly clock: Clock;
  /** Milliseconds between the end of one run and the start of the next. */
  readonly pause: number;
  readonly signal: AbortSignal;
  /** Called with the error of a run that failed; the next one comes all the same. */
  readonly onError: (error: unknown) => void;
}

/** Runs a task at once, and again after each pause until the signal is aborted; resolves when the last run has ended. */
export async function repeat(task: () => Promise<void>, repetition: Repetition): Promise<void> {
  const { clock, pause, signal, onError } = repetition;
  while (!signal.aborted) {
    try {
      await task();
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    await clock.sleep(pause, signal);
  }
}
