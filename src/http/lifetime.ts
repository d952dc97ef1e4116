import { AbortError, type CallDescription, TimeoutError } from '../errors.ts';

/**
 * How long a call may live: until the caller's signal aborts or its `totalTimeout` is over.
 *
 * Everything that waits listens to the one signal of this object, so the caller's own signal carries a single
 * listener, which `end` removes.
 */
export class Lifetime {
  readonly #callerSignal: AbortSignal | undefined;
  readonly #totalTimeout: number | undefined;
  readonly #deadline: number;
  readonly #controller: AbortController | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #abort = (): void => this.#controller?.abort(this.#callerSignal?.reason);

  constructor(callerSignal: AbortSignal | undefined, totalTimeout: number | undefined) {
    this.#callerSignal = callerSignal;
    this.#totalTimeout = totalTimeout;
    this.#deadline = totalTimeout === undefined ? Infinity : performance.now() + totalTimeout;
    if (callerSignal === undefined && totalTimeout === undefined) return;
    this.#controller = new AbortController();
    callerSignal?.addEventListener('abort', this.#abort, { once: true });
    if (callerSignal?.aborted) this.#abort();
    if (totalTimeout !== undefined) this.#timer = setTimeout(() => this.#controller?.abort(), totalTimeout);
  }

  /** Aborts when the call must end; `undefined` where nothing limits it. */
  get signal(): AbortSignal | undefined {
    return this.#controller?.signal;
  }

  /** Whether the call must end now. */
  get over(): boolean {
    return this.#controller?.signal.aborted === true;
  }

  /** The error that tells the caller why the call had to end. */
  error(call: CallDescription, mayHaveBeenProcessed: boolean, cause: unknown): AbortError | TimeoutError {
    if (this.#callerSignal?.aborted) {
      return new AbortError(call, mayHaveBeenProcessed, this.#callerSignal.reason);
    }
    const limit = { option: 'totalTimeout', timeoutMs: this.#totalTimeout ?? 0 } as const;
    return new TimeoutError(call, limit, mayHaveBeenProcessed, cause === undefined ? undefined : { cause });
  }

  /** Waits for `work` no longer than the call lives; rejects with the signal's reason when it must end. */
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

  /** Milliseconds until `totalTimeout` is over; infinite without one. */
  get remainingMs(): number {
    return this.#deadline - performance.now();
  }

  /** Lets go of the timer and of the caller's signal. */
  end(): void {
    clearTimeout(this.#timer);
    this.#callerSignal?.removeEventListener('abort', this.#abort);
  }
}
