import { signPayload } from 'data-quality-client/webhooks';

export const secret = 'whsec_für-tests';

/** The body of an alert as the document shows it. */
export function alertBody(id: string, event: object = {}): string {
  return JSON.stringify({
    event_type: 'alert.triggered',
    alert: {
      id,
      rule_name: 'Schema of orders',
      alert_type: 'schema',
      status: 'triggered',
      created_at: '2026-01-02T03:04:05Z',
    },
    event: {
      type: 'schema_change',
      change_type: 'column_removed',
      asset: { qualified_name: 'shop.public.orders', asset_type: 'table' },
      details: { column_name: 'total', column_type: 'DECIMAL' },
      ...event,
    },
    links: { alert_url: 'https://service.test/alerts/1', asset_url: 'https://service.test/assets/1' },
  });
}

/** What `fetch` or `Request` needs to deliver a body signed. */
export async function signed(body: string, headers: Record<string, string> = {}) {
  return {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-service-signature': await signPayload(body, secret),
      ...headers,
    },
  };
}

/** A signed delivery as a Request. */
export async function delivery(body: string, headers?: Record<string, string>): Promise<Request> {
  return new Request('https://receiver.test/alerts', await signed(body, headers));
}
