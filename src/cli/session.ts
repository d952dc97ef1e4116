import { type ExitCode, exitCode } from './exit-code.ts';

/** One run of `dq`: what ends it, and what it ends with. */
export class Session {
  /** What the process exits with, unless something fails. */
  exitCode: ExitCode = exitCode.done;
  /** What has been done so far, in words; told when the run is interrupted. */
  progress = 'nothing was changed';
  /** Milliseconds that a command has to come to its end once it was interrupted. */
  graceMs = 1000;
  readonly #controller = new AbortController();

  /** Aborts at Ctrl-C. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends what is under way. */
  interrupt(): void {
    this.#controller.abort(new Error('interrupted'));
  }
}
