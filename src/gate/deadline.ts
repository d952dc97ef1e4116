/** How long the gate may run: until its time is over or the caller's signal aborts. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #callerSignal: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #reason: string | undefined;

  constructor(timeout: number | undefined, callerSignal: AbortSignal | undefined) {
    this.#callerSignal = callerSignal;
    callerSignal?.addEventListener('abort', this.#abort, { once: true });
    if (callerSignal?.aborted) this.#abort();
    if (timeout !== undefined) {
      this.#timer = setTimeout(() => this.#end(`time ran out after ${timeout} ms`), timeout);
    }
  }

  /** Aborts when the gate must end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the gate had to end before it was done; `undefined` while it need not. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Lets go of the timer and the caller's signal, and cancels what is still under way. */
  close(): void {
    clearTimeout(this.#timer);
    this.#callerSignal?.removeEventListener('abort', this.#abort);
    this.#controller.abort();
  }

  readonly #abort = (): void => this.#end('it was aborted by its signal', this.#callerSignal?.reason);

  #end(reason: string, cause?: unknown): void {
    this.#reason ??= reason;
    this.#controller.abort(cause);
  }
}
