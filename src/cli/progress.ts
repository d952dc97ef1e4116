import { createLogUpdate } from 'log-update';

import { stderrColors } from './terminal.ts';

/** Tells how far a command has come: a live line on a terminal, else a line a step. */
export interface Progress {
  /** Shows one step; `done` replaces it at the end if there is no live line. */
  step(line: string): void;
  /** Removes the live line. */
  end(): void;
}

/** Starts to show progress on standard error. */
export function startProgress(): Progress {
  if (!process.stderr.isTTY) {
    return { step: (line) => void process.stderr.write(`${line}\n`), end: () => undefined };
  }
  const live = createLogUpdate(process.stderr);
  return { step: (line) => live(stderrColors.dim(line)), end: () => live.clear() };
}
