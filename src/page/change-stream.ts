/** Pages that may listen at once; one more gets a 503. */
const mostListeners = 50;

/** What is not noticed as it happens, such as age and the work of other processes, is looked for this often, in ms. */
const tick = 15_000;

/** Milliseconds that changes are collected before they are reported. */
const pause = 250;

const encoder = new TextEncoder();

/** Tells open pages that something changed, as server-sent events. */
export class ChangeStream {
  readonly #listeners = new Set<ReadableStreamDefaultController<Uint8Array>>();
  readonly #onChange: () => void;
  readonly #costs: () => number;
  #ticking: ReturnType<typeof setInterval> | undefined;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /** `onChange` is called before a change is reported; `costs` says how long showing the last one took, in ms. */
  constructor(onChange: () => void, costs: () => number) {
    this.#onChange = onChange;
    this.#costs = costs;
  }

  /** Opens the stream of one page. */
  open(): Response {
    if (this.#isClosed || this.#listeners.size >= mostListeners) return new Response(null, { status: 503 });
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        this.#listeners.add(controller);
        controller.enqueue(encoder.encode('retry: 2000\nevent: open\ndata:\n\n'));
      },
      cancel: () => this.#leave(own),
    });
    this.#ticking ??= setInterval(() => this.#send(), tick).unref();
    return new Response(body, {
      headers: {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      },
    });
  }

  /** Reports a change soon, and several at once: a page is not drawn more often than half of the time allows. */
  report(): void {
    if (this.#listeners.size === 0) {
      this.#onChange();
      return;
    }
    this.#waiting ??= setTimeout(() => this.#send(), Math.max(pause, 2 * this.#costs())).unref();
  }

  /** Ends all streams. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#ticking);
    clearTimeout(this.#waiting);
    for (const listener of this.#listeners) listener.close();
    this.#listeners.clear();
  }

  #send(): void {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
    this.#onChange();
    for (const listener of this.#listeners) listener.enqueue(encoder.encode('event: change\ndata:\n\n'));
  }

  #leave(listener: ReadableStreamDefaultController<Uint8Array> | undefined): void {
    if (listener !== undefined) this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
  }
}
