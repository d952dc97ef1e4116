import { createHash } from 'node:crypto';

import { deliveryDelays, deliveryTimeout } from '../contract/vocabulary.ts';
import type { Clock } from './clock.ts';
import type { Destination } from './destination.ts';
import type { Job, Jobs } from './jobs.ts';
import type { Log } from './log.ts';
import { type Delivery, findPending, pendingDeliveries, recordAttempt } from './outbox.ts';
import { post } from './post.ts';
import type { State } from './state.ts';

/** Deliveries that one destination gets at once. */
const deliveriesPerDestination = 4;

/** What a delivery worker works with. */
export interface DeliveryParts {
  readonly state: State;
  readonly jobs: Jobs;
  readonly destinations: readonly Destination[];
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly log: Log;
}

/**
 * Delivers alerts at least once, in up to five attempts, over restarts of the service: each attempt is a job, made by
 * one process at a time. Each destination has a queue of its own: one that hangs delays no other.
 */
export class DeliveryWorker {
  readonly #parts: DeliveryParts;
  readonly #queues: ReadonlyMap<string, string>;
  readonly #stop = new AbortController();

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    this.#queues = new Map(parts.destinations.map(({ name }) => [name, queueOf(name)]));
  }

  /** Begins to deliver, with what is left in the outbox. */
  async start(): Promise<void> {
    for (const destination of this.#parts.destinations) {
      await this.#parts.jobs.work(queueOf(destination.name), {
        concurrency: deliveriesPerDestination,
        handle: async (key) => this.#deliver(destination, key),
      });
    }
    await this.resume();
  }

  /** Goes on with what is left in the outbox, such as by a process that ended before it could queue it. */
  async resume(): Promise<void> {
    this.send(await pendingDeliveries(this.#parts.state));
  }

  /** Delivers what is already in the outbox. */
  send(deliveries: readonly Delivery[]): void {
    const byDestination = Map.groupBy(deliveries, ({ destination }) => destination);
    for (const [destination, group] of byDestination) {
      this.#queue(destination, group).catch((error: unknown) => {
        if (!this.#stop.signal.aborted) this.#parts.onError(error);
      });
    }
  }

  /** Breaks off what is under way, to be attempted again later. */
  stop(): void {
    this.#stop.abort();
  }

  async #queue(destination: string, deliveries: readonly Delivery[]): Promise<void> {
    const { state, jobs } = this.#parts;
    const queue = this.#queues.get(destination);
    if (queue !== undefined) {
      await jobs.add(queue, deliveries.map(jobOf));
      return;
    }
    for (const delivery of deliveries) {
      await recordAttempt(state, delivery, 'failed', 'the destination is no longer configured');
    }
  }

  async #deliver(destination: Destination, key: string): Promise<void> {
    const [id = '', attempts] = JSON.parse(key) as [string?, number?];
    const delivery = await findPending(this.#parts.state, id, destination.name);
    // Another process has made this attempt, and ended before the job was over.
    if (delivery?.attempts !== attempts || delivery === undefined) return;
    const next = await this.#attempt(destination, delivery);
    if (next !== undefined) this.send([next]);
  }

  /** Attempts a delivery and returns it with its next due time, or nothing if no attempt follows. */
  async #attempt(destination: Destination, delivery: Delivery): Promise<Delivery | undefined> {
    const { state, clock } = this.#parts;
    const failure = await this.#send(destination, delivery.payload);
    if (failure !== undefined) this.#stop.signal.throwIfAborted();
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

/** Name of the queue of a destination, whose own name may contain anything. */
function queueOf(destination: string): string {
  return `delivery-${createHash('sha256').update(destination).digest('hex').slice(0, 16)}`;
}

/** Each attempt is a job of its own, so that it can be queued while the one before is not quite over. */
function jobOf({ id, attempts, dueAt }: Delivery): Job {
  return { key: JSON.stringify([id, attempts]), dueAt };
}
