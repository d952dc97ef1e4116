import pLimit, { type LimitFunction } from 'p-limit';

import { deliveryDelays, deliveryTimeout } from '../contract/vocabulary.ts';
import type { Clock } from './clock.ts';
import type { Destination } from './destination.ts';
import type { Log } from './log.ts';
import { type Delivery, pendingDeliveries, recordAttempt } from './outbox.ts';
import { post } from './post.ts';
import type { State } from './state.ts';

/** Deliveries that one destination gets at once. */
const deliveriesPerDestination = 4;

/** What a delivery worker works with. */
export interface DeliveryParts {
  readonly state: State;
  readonly destinations: readonly Destination[];
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly log: Log;
}

/**
 * Delivers alerts at least once, in up to five attempts, over restarts of the service. Each destination has a
 * limit of its own: one that hangs delays no other.
 */
export class DeliveryWorker {
  readonly #parts: DeliveryParts;
  readonly #routes: ReadonlyMap<string, { readonly destination: Destination; readonly limit: LimitFunction }>;
  readonly #stop = new AbortController();
  readonly #working = new Set<Promise<void>>();

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    this.#routes = new Map(
      parts.destinations.map((destination) => [
        destination.name,
        { destination, limit: pLimit(deliveriesPerDestination) },
      ]),
    );
  }

  /** Goes on with what an earlier run of the service left. */
  async resume(): Promise<void> {
    this.send(await pendingDeliveries(this.#parts.state));
  }

  /** Delivers what is already in the outbox. */
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
      delivery = await route.limit(async () =>
        signal.aborted ? undefined : this.#attempt(route.destination, current),
      );
    }
  }

  /** Attempts a delivery and returns it with its next due time, or nothing if no attempt follows. */
  async #attempt(destination: Destination, delivery: Delivery): Promise<Delivery | undefined> {
    const { state, clock } = this.#parts;
    const failure = await this.#send(destination, delivery.payload);
    if (this.#stop.signal.aborted && failure !== undefined) return undefined;
    const attempts = delivery.attempts + 1;
    const delay = deliveryDelays[attempts];
    const next = { ...delivery, attempts, dueAt: clock.now() + (delay ?? 0) };
    const status = failure === undefined ? 'delivered' : delay === undefined ? 'failed' : 'pending';
    await recordAttempt(state, next, status, failure ?? null);
    this.#parts.log(failure === undefined ? 'info' : 'error', 'delivery', {
      alert_id: delivery.id,
      destination: destination.name,
      status,
      attempts,
      ...(failure === undefined ? {} : { error: failure }),
    });
    return status === 'pending' ? next : undefined;
  }

  /** Sends once; returns what went wrong. */
  async #send(destination: Destination, payload: string): Promise<string | undefined> {
    const responded = new AbortController();
    const late = new AbortController();
    const expire = async () => {
      await this.#parts.clock.sleep(deliveryTimeout, AbortSignal.any([responded.signal, this.#stop.signal]));
      if (!responded.signal.aborted) late.abort();
    };
    const expiry = expire();
    const signal = AbortSignal.any([late.signal, this.#stop.signal]);
    try {
      const status = await post(destination, payload, signal);
      return status >= 200 && status < 300 ? undefined : `responded with ${status}`;
    } catch (error) {
      if (late.signal.aborted) return `no response within ${deliveryTimeout / 1000} s`;
      return error instanceof Error ? error.message : String(error);
    } finally {
      responded.abort();
      await expiry;
    }
  }
}
