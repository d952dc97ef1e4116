import type { AlertPayload } from '../contract/index.ts';
import { signPayload } from '../webhooks/signature.ts';
import { timestamp } from '../service/timestamp.ts';

/** What a test says of an alert; the rest is made up. */
export interface FakeAlert {
  readonly alert?: AlertPayload['alert'];
  readonly event?: AlertPayload['event'];
  readonly links?: AlertPayload['links'];
  readonly event_type?: AlertPayload['event_type'];
}

/** Makes the request the service would send to a webhook (interface: Events). */
export async function signedAlertRequest(given: FakeAlert, secret: string, now: number): Promise<Request> {
  const id = given.alert?.id ?? crypto.randomUUID();
  const payload: AlertPayload = {
    event_type: 'alert.triggered',
    ...given,
    alert: {
      id,
      rule_name: 'Column removed',
      alert_type: 'schema',
      status: 'triggered',
      created_at: timestamp(now),
      ...given.alert,
    },
    event: {
      type: 'schema_change',
      change_type: 'column_removed',
      details: { column_name: 'email', column_type: 'VARCHAR' },
      ...given.event,
      asset: { qualified_name: 'warehouse.public.orders', asset_type: 'table', ...given.event?.asset },
    },
    links: { alert_url: `https://dq.test/alerts/${id}`, asset_url: 'https://dq.test/assets', ...given.links },
  };
  const body = JSON.stringify(payload);
  return new Request('https://receiver.test/alerts', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', 'X-Service-Signature': await signPayload(body, secret) },
  });
}
