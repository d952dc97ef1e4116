import type { CallDescription } from '../errors/call-description.ts';
import { AbortError, TimeoutError } from '../errors/no-result-errors.ts';

/**
 * When a call must end: when the caller's signal aborts or its `totalTimeout` is over.
 *
 * Everything that waits listens to the one signal of this object, so the caller's own signal has a single
 * listener, which `dispose` removes.
 */
export class CallDeadline {
  readonly #callerSignal: AbortSignal | undefined;
  readonly #totalTimeout: number | undefined;
  readonly #endsAt: number;
  readonly #controller: AbortController | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #abort = (): void => this.#controller?.abort(this.#callerSignal?.reason);

  constructor(callerSignal: AbortSignal | undefined, totalTimeout: number | undefined) {
    this.#callerSignal = callerSignal;
    this.#totalTimeout = totalTimeout;
    this.#endsAt = totalTimeout === undefined ? Infinity : performance.now() + totalTimeout;
    if (callerSignal === undefined && totalTimeout === undefined) return;
    this.#controller = new AbortController();
    callerSignal?.addEventListener('abort', this.#abort, { once: true });
    if (callerSignal?.aborted) this.#abort();
    if (totalTimeout !== undefined) this.#timer = setTimeout(() => this.#controller?.abort(), totalTimeout);
  }

  /** Aborts when the call must end; `undefined` if nothing limits it. */
  get signal(): AbortSignal | undefined {
    return this.#controller?.signal;
  }

  /** Whether the call must end now. */
  get aborted(): boolean {
    return this.#controller?.signal.aborted === true;
  }

  /** Milliseconds until `totalTimeout` is over; infinite without one. */
  get remainingMs(): number {
    return this.#endsAt - performance.now();
  }

  /** Makes the error that says why the call had to end. */
  error(call: CallDescription, mayHaveBeenProcessed: boolean, cause?: unknown): AbortError | TimeoutError {
    if (this.#callerSignal?.aborted) {
      return new AbortError(call, mayHaveBeenProcessed, this.#callerSignal.reason);
    }
    const limit = { option: 'totalTimeout', timeoutMs: this.#totalTimeout ?? 0 } as const;
    return new TimeoutError(call, limit, mayHaveBeenProcessed, cause === undefined ? undefined : { cause });
  }

  /** Waits for `work`, but no longer than the call may take; rejects with the signal's reason when it must end. */
  async race<T>(work: Promise<T>): Promise<T> {
    const signal = this.signal;
    if (signal === undefined) return work;
    const ended = Promise.withResolvers<never>();
    const end = (): void => ended.reject(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    try {
      return await Promise.race([work, ended.promise]);
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  /** Clears the timer and removes the listener from the caller's signal. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#callerSignal?.removeEventListener('abort', this.#abort);
  }
}
