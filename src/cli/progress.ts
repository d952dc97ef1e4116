import { createLogUpdate } from 'log-update';

import { stripControlCharacters } from '../printable.ts';
import { isQuiet, setLiveLine, stderrColors } from './terminal.ts';

/** Reports how far a command has come, in a live line on a terminal; a log gets nothing. */
export interface Progress {
  /** Shows the latest step. */
  step(line: string): void;
  /** Removes the live line. */
  end(): void;
}

/** Starts to report on standard error. */
export function startProgress(): Progress {
  if (!process.stderr.isTTY || isQuiet()) return { step: () => undefined, end: () => undefined };
  const live = createLogUpdate(process.stderr);
  let latest = '';
  const show = (): void => live(stderrColors.dim(latest));
  setLiveLine({ hide: () => live.clear(), show });
  return {
    step(line) {
      latest = stripControlCharacters(line);
      show();
    },
    end() {
      setLiveLine(undefined);
      live.clear();
    },
  };
}
