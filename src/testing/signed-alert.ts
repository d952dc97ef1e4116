import type { Alert, AlertAsset, AlertCause, AlertEvent, AlertLinks } from '../webhooks/alert-event.ts';
import { sampleAlert } from './sample-alert.ts';
import { signPayload } from '../webhooks/signature.ts';

/** The fields of an alert that a test chooses; the rest is made up. */
export interface FakeAlert {
  /** Fields of the alert itself. */
  readonly alert?: Partial<Alert> | undefined;
  /** Fields of what happened. */
  readonly event?:
    (Partial<Omit<AlertCause, 'asset'>> & { readonly asset?: Partial<AlertAsset> }) | undefined;
  /** Links of the alert. */
  readonly links?: Partial<AlertLinks> | undefined;
  /**
   * Whether the alert is raised or resolved.
   *
   * @default 'alert.triggered'
   */
  readonly event_type?: AlertEvent['event_type'] | undefined;
}

/** Makes the request the service would send to a webhook. */
export async function signedAlertRequest(given: FakeAlert, secret: string, now: number): Promise<Request> {
  const sample = sampleAlert(given.event?.type, { id: given.alert?.id, now: new Date(now) });
  const payload = {
    ...sample,
    ...given,
    alert: { ...sample.alert, ...given.alert },
    event: { ...sample.event, ...given.event, asset: { ...sample.event.asset, ...given.event?.asset } },
    links: { ...sample.links, ...given.links },
  };
  const body = JSON.stringify(payload);
  return new Request('https://receiver.test/alerts', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', 'X-Service-Signature': await signPayload(body, secret) },
  });
}
