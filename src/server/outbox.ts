import type { AlertPayload } from '../webhooks/alert-event.ts';
import type { Row, Run, State } from './state.ts';

/** An alert on its way to one destination. */
export interface Delivery {
  /** Id of the alert. */
  readonly id: string;
  /** Name of the destination. */
  readonly destination: string;
  /** The text that is signed and sent, the same in every attempt. */
  readonly payload: string;
  /** How many attempts were made. */
  readonly attempts: number;
  /** When the next attempt is due, in ms since 1970. */
  readonly dueAt: number;
}

/** What an attempt led to. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** Makes one delivery for each destination, inside a transaction. */
export async function enqueue(
  run: Run,
  alert: AlertPayload,
  destinations: readonly string[],
  now: number,
): Promise<readonly Delivery[]> {
  const payload = JSON.stringify(alert);
  const deliveries = destinations.map((destination) => ({
    id: alert.alert.id,
    destination,
    payload,
    attempts: 0,
    dueAt: now,
  }));
  for (const { id, destination, attempts, dueAt } of deliveries) {
    await run(
      `INSERT INTO deliveries (id, destination, payload, status, attempts, due_at) VALUES ($1, $2, $3, 'pending', $4, $5)`,
      id,
      destination,
      payload,
      attempts,
      dueAt,
    );
  }
  return deliveries;
}

/** The deliveries that are neither delivered nor failed, those that are due first in front. */
export async function pendingDeliveries(state: State): Promise<readonly Delivery[]> {
  const rows = await state.run(
    `SELECT id, destination, payload, attempts, due_at FROM deliveries WHERE status = 'pending' ORDER BY due_at, id`,
  );
  return rows.map(toDelivery);
}

/** Finds a delivery that is neither delivered nor failed. */
export async function findPending(
  state: State,
  id: string,
  destination: string,
): Promise<Delivery | undefined> {
  const [row] = await state.run(
    `SELECT id, destination, payload, attempts, due_at FROM deliveries
     WHERE id = $1 AND destination = $2 AND status = 'pending'`,
    id,
    destination,
  );
  return row === undefined ? undefined : toDelivery(row);
}

/** Remembers what an attempt led to. */
export async function recordAttempt(
  state: State,
  { id, destination, attempts, dueAt }: Delivery,
  status: DeliveryStatus,
  error: string | null,
): Promise<void> {
  await state.run(
    'UPDATE deliveries SET status = $3, attempts = $4, due_at = $5, last_error = $6, finished_at = $7 WHERE id = $1 AND destination = $2',
    id,
    destination,
    status,
    attempts,
    dueAt,
    error,
    status === 'pending' ? null : dueAt,
  );
}

function toDelivery([id, destination, payload, attempts, dueAt]: Row): Delivery {
  return {
    id: String(id),
    destination: String(destination),
    payload: String(payload),
    attempts: Number(attempts),
    dueAt: Number(dueAt),
  };
}
