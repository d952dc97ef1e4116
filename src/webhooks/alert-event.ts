import type { AlertPayload } from '../contract/alert.ts';
import type { EventType, LiteralUnion } from '../contract/vocabulary.ts';
import { WebhookVerificationError } from './verification-error.ts';

/** The alert itself (interface: Payload shape); fields the service adds are kept. */
export interface Alert {
  /** Unique, the same in every attempt to deliver this alert; default `''`. */
  readonly id: string;
  /** Default `''`. */
  readonly rule_name: string;
  /** Default `''`. */
  readonly alert_type: LiteralUnion<'schema'>;
  /** Default `triggered`. */
  readonly status: LiteralUnion<'triggered'>;
  /** ISO 8601, UTC; default `''`. */
  readonly created_at: string;
  readonly [field: string]: unknown;
}

/** The asset an event is about (interface: Payload shape). */
export interface AlertAsset {
  /** Dotted name; default `''`. */
  readonly qualified_name: string;
  /** Default `''`. */
  readonly asset_type: LiteralUnion<'table'>;
  readonly [field: string]: unknown;
}

/** What happened (interface: Event types); an event type the document does not name is kept as it came. */
export interface AlertCause {
  /** Default `unknown`. */
  readonly type: LiteralUnion<EventType | 'unknown'>;
  /** For schema changes, such as `column_removed`; default `''`. */
  readonly change_type: string;
  readonly asset: AlertAsset;
  /** For a column change `column_name` and `column_type`; default `{}`. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** Pages of the service to send a person to (interface: Payload shape). */
export interface AlertLinks {
  /** Default `''`. */
  readonly alert_url: string;
  /** Default `''`. */
  readonly asset_url: string;
  readonly [field: string]: unknown;
}

/** A delivered alert in which every documented field is there (interface: Payload shape). */
export interface AlertEvent extends AlertPayload {
  /** Default `alert.triggered`. */
  readonly event_type: LiteralUnion<'alert.triggered'>;
  readonly alert: Alert;
  readonly event: AlertCause;
  readonly links: AlertLinks;
}

/**
 * Reads a delivery, as text or already parsed. A field that is missing, or is not of the documented kind, gets its
 * default, so that an alert is never lost over one of them; unknown fields and event types are kept.
 *
 * Throws {@link WebhookVerificationError} with the reason `not_json` if the payload is no JSON object. It verifies
 * nothing: see {@link verifySignature}.
 *
 * @example
 * const { event, links } = parseAlert(body);
 * if (event.type === 'schema_change') console.log(event.asset.qualified_name, event.details, links.alert_url);
 */
export function parseAlert(payload: string | object): AlertEvent {
  const parsed = typeof payload === 'string' ? parseJson(payload) : payload;
  if (!isFields(parsed))
    throw new WebhookVerificationError('not_json', 'Delivery refused: it is no JSON object.');
  const event = fields(parsed['event']);
  return {
    ...texts(parsed, { event_type: 'alert.triggered' }),
    alert: texts(parsed['alert'], {
      id: '',
      rule_name: '',
      alert_type: '',
      status: 'triggered',
      created_at: '',
    }),
    event: {
      ...texts(event, { type: 'unknown', change_type: '' }),
      asset: texts(event['asset'], { qualified_name: '', asset_type: '' }),
      details: fields(event['details']),
    },
    links: texts(parsed['links'], { alert_url: '', asset_url: '' }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function parseJson(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    // Not handed on: the parser's message quotes the payload, which may hold what must not reach a log.
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** All fields of `value`, those that `missing` names being text. */
function texts<Name extends string>(value: unknown, missing: Record<Name, string>) {
  const whole: Record<string, unknown> = { ...fields(value) };
  for (const [name, text] of Object.entries(missing)) {
    if (typeof whole[name] !== 'string') whole[name] = text;
  }
  // The cast states what the loop has seen to: every name of `missing` is there, as text.
  return whole as Record<string, unknown> & Record<Name, string>;
}
