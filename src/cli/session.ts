import { type ExitCode, exitCode } from '../judgement/exit-code.ts';

/** One run of `dq`: what ends it, and what it ends with. */
export class Session {
  /** What the process exits with, unless something fails. */
  exitCode: ExitCode = exitCode.done;
  /** Milliseconds that a command has to come to its end once it was interrupted. */
  graceMs = 1000;
  #progress = 'nothing was changed';
  readonly #controller = new AbortController();

  /** Aborts at Ctrl-C. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What has been done so far, in words; shown when the run is interrupted. */
  get progress(): string {
    return this.#progress;
  }

  /** What ends because of the interruption is not done. */
  set progress(text: string) {
    if (!this.signal.aborted) this.#progress = text;
  }

  /** Ends what is under way. */
  interrupt(): void {
    this.#controller.abort(new Error('interrupted'));
  }
}
