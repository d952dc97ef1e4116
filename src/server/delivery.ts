import { deliveryDelays, deliveryTimeout } from '../contract/vocabulary.ts';
import type { Clock } from './clock.ts';
import type { Destination } from './destination.ts';
import { Lanes } from '../engines/duckdb/lanes.ts';
import { type Delivery, pendingDeliveries, recordAttempt } from './outbox.ts';
import { post } from './post.ts';
import type { State } from './state.ts';

/** Deliveries that one destination gets at once. */
const lanesPerDestination = 4;

/** What a sender works with. */
export interface SenderParts {
  readonly state: State;
  readonly destinations: readonly Destination[];
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Delivers alerts at least once, in up to five attempts, over restarts of the service. Each destination has lanes of
 * its own: one that hangs delays no other.
 */
export class Sender {
  readonly #parts: SenderParts;
  readonly #routes: ReadonlyMap<string, { readonly destination: Destination; readonly lanes: Lanes }>;
  readonly #stop = new AbortController();
  readonly #working = new Set<Promise<void>>();

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#routes = new Map(
      parts.destinations.map((destination) => [
        destination.name,
        { destination, lanes: new Lanes(lanesPerDestination) },
      ]),
    );
  }

  /** Goes on with what an earlier run of the service left. */
  async resume(): Promise<void> {
    this.send(await pendingDeliveries(this.#parts.state));
  }

  /** Delivers what the outbox holds already. */
  send(deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) {
      const work = this.#deliver(delivery).catch((error: unknown) => {
        if (!this.#stop.signal.aborted) this.#parts.onError(error);
      });
      this.#working.add(work);
      void work.then(() => this.#working.delete(work));
    }
  }

  /** Breaks off what is under way, to be attempted again later, and resolves when nothing is. */
  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#working);
  }

  async #deliver(queued: Delivery): Promise<void> {
    const { state, clock } = this.#parts;
    const { signal } = this.#stop;
    const route = this.#routes.get(queued.destination);
    if (route === undefined) {
      await recordAttempt(state, queued, 'failed', 'the destination is no longer configured');
      return;
    }
    let delivery: Delivery | undefined = queued;
    while (delivery !== undefined) {
      const current: Delivery = delivery;
      await clock.sleep(current.dueAt - clock.now(), signal);
      delivery = await route.lanes.run(async () =>
        signal.aborted ? undefined : this.#attempt(route.destination, current),
      );
    }
  }

  /** Attempts a delivery and returns it with its next due time, or nothing where it is done with. */
  async #attempt(destination: Destination, delivery: Delivery): Promise<Delivery | undefined> {
    const { state, clock } = this.#parts;
    const failure = await this.#send(destination, delivery.payload);
    if (this.#stop.signal.aborted && failure !== undefined) return undefined;
    const attempts = delivery.attempts + 1;
    const delay = deliveryDelays[attempts];
    const next = { ...delivery, attempts, dueAt: clock.now() + (delay ?? 0) };
    const status = failure === undefined ? 'delivered' : delay === undefined ? 'failed' : 'pending';
    await recordAttempt(state, next, status, failure ?? null);
    return status === 'pending' ? next : undefined;
  }

  /** Sends once; returns what went wrong. */
  async #send(destination: Destination, payload: string): Promise<string | undefined> {
    const answered = new AbortController();
    const late = new AbortController();
    const expire = async () => {
      await this.#parts.clock.sleep(deliveryTimeout, AbortSignal.any([answered.signal, this.#stop.signal]));
      if (!answered.signal.aborted) late.abort();
    };
    const expiry = expire();
    const signal = AbortSignal.any([late.signal, this.#stop.signal]);
    try {
      const status = await post(destination, payload, signal);
      return status >= 200 && status < 300 ? undefined : `answered ${status}`;
    } catch (error) {
      if (late.signal.aborted) return `no answer within ${deliveryTimeout / 1000} s`;
      return error instanceof Error ? error.message : String(error);
    } finally {
      answered.abort();
      await expiry;
    }
  }
}
