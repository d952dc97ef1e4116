import type { AlertPayload } from '../webhooks/alert-event.ts';
import type { State } from '../server/state.ts';

/** An alert on its way, or at its end. */
export interface ShownDelivery {
  /** What the alert is about, in words. */
  readonly subject: string;
  readonly destination: string;
  /** `pending`, `delivered` or `failed`. */
  readonly status: string;
  readonly attempts: number;
  /** When the next attempt is due, or the last one was made, in ms since 1970. */
  readonly at: number;
  /** What the last attempt failed with. */
  readonly problem: string | undefined;
}

/** More would hide the rest of the page. */
const mostShown = 30;

/** Reads the latest deliveries. */
export async function readDeliveries(state: State): Promise<readonly ShownDelivery[]> {
  const rows = await state.run(
    `SELECT payload, destination, status, attempts, due_at, last_error FROM deliveries ORDER BY due_at DESC LIMIT ${mostShown}`,
  );
  return rows.map(([payload, destination, status, attempts, due, error]) => ({
    subject: subjectOf(payload),
    destination: String(destination),
    status: String(status),
    attempts: Number(attempts),
    at: Number(due),
    problem: typeof error === 'string' ? error : undefined,
  }));
}

function subjectOf(payload: unknown): string {
  const { alert, event } = JSON.parse(String(payload)) as AlertPayload;
  const subject = `${alert?.rule_name ?? 'Alert'}: ${event?.asset?.qualified_name ?? ''}`;
  return alert?.status === 'resolved' ? `${subject} (resolved)` : subject;
}
