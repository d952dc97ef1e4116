import type { EventType, LiteralUnion, LocalEventType } from '../contract/vocabulary.ts';
import { WebhookVerificationError } from './verification-error.ts';

/** The alert itself. */
export interface Alert {
  /**
   * Unique, the same in every attempt to deliver this alert.
   *
   * @default ''
   */
  readonly id: string;
  /**
   * What raised the alert, in words.
   *
   * @default ''
   */
  readonly rule_name: string;
  /**
   * Kind of check that raised the alert.
   *
   * @default ''
   */
  readonly alert_type: LiteralUnion<
    'schema' | 'freshness' | 'discovery' | 'connection' | 'validity' | 'metric'
  >;
  /**
   * `triggered`; the local service sends `resolved` for a recovery.
   *
   * @default 'triggered'
   */
  readonly status: LiteralUnion<'triggered' | 'resolved'>;
  /**
   * ISO 8601, UTC.
   *
   * @default ''
   */
  readonly created_at: string;
}

/** The asset an event is about. */
export interface AlertAsset {
  /**
   * Dotted name.
   *
   * @default ''
   */
  readonly qualified_name: string;
  /**
   * Whether it is a table or a data asset.
   *
   * @default ''
   */
  readonly asset_type: LiteralUnion<'table' | 'data_asset'>;
}

/** What happened; an event type that is not documented is kept as it came. */
export interface AlertCause {
  /**
   * Which kind of event it is.
   *
   * @default 'unknown'
   */
  readonly type: LiteralUnion<EventType | LocalEventType | 'unknown'>;
  /**
   * For schema changes, such as `column_removed`.
   *
   * @default ''
   */
  readonly change_type: string;
  /** What it happened to. */
  readonly asset: AlertAsset;
  /**
   * For a column change `column_name` and `column_type`.
   *
   * @default {}
   */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Pages of the service to send a person to. */
export interface AlertLinks {
  /**
   * The alert.
   *
   * @default ''
   */
  readonly alert_url: string;
  /**
   * The asset.
   *
   * @default ''
   */
  readonly asset_url: string;
}

/** A delivered alert in which every documented field is present. Fields that the service adds are kept. */
export interface AlertEvent {
  /**
   * `alert.triggered`; the local service sends `alert.resolved` for a recovery.
   *
   * @default 'alert.triggered'
   */
  readonly event_type: LiteralUnion<'alert.triggered' | 'alert.resolved'>;
  /** The alert itself. */
  readonly alert: Alert;
  /** What happened. */
  readonly event: AlertCause;
  /** Pages of the service to send a person to. */
  readonly links: AlertLinks;
}

/** An alert as it is sent: only a schema change has a `change_type`. */
export interface AlertPayload extends Omit<AlertEvent, 'event'> {
  /** What happened. */
  readonly event: Omit<AlertCause, 'change_type'> & Partial<Pick<AlertCause, 'change_type'>>;
}

/**
 * Reads a delivery, as text or already parsed. A field that is missing, or is not of the documented kind, gets its
 * default, so that an alert is never lost over one of them; unknown fields and event types are kept. It verifies
 * nothing: see {@link verifySignature}.
 *
 * @throws {@link WebhookVerificationError} with the reason `not_json` if the payload is not a JSON object.
 *
 * @example
 * const { event, links } = parseAlert(body);
 * if (event.type === 'schema_change') console.log(event.asset.qualified_name, event.details, links.alert_url);
 */
export function parseAlert(payload: string | object): AlertEvent {
  const parsed = typeof payload === 'string' ? parseJson(payload) : payload;
  if (!isRecord(parsed))
    throw new WebhookVerificationError('not_json', 'Delivery refused: it is not a JSON object.');
  const event = asRecord(parsed['event']);
  return {
    ...withStringDefaults(parsed, { event_type: 'alert.triggered' }),
    alert: withStringDefaults(parsed['alert'], {
      id: '',
      rule_name: '',
      alert_type: '',
      status: 'triggered',
      created_at: '',
    }),
    event: {
      ...withStringDefaults(event, { type: 'unknown', change_type: '' }),
      asset: withStringDefaults(event['asset'], { qualified_name: '', asset_type: '' }),
      details: asRecord(event['details']),
    },
    links: withStringDefaults(parsed['links'], { alert_url: '', asset_url: '' }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function parseJson(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    // Not passed on: the parser's message quotes the payload, which may contain what must not reach a log.
    return undefined;
  }
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asRecord(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** All fields of `value`; those that `defaults` names are strings. */
function withStringDefaults<Name extends string>(value: unknown, defaults: Record<Name, string>) {
  const record: Record<string, unknown> = { ...asRecord(value) };
  for (const [name, text] of Object.entries(defaults)) {
    if (typeof record[name] !== 'string') record[name] = text;
  }
  // The cast states what the loop has seen to: every name of `defaults` is present, as a string.
  return record as Record<string, unknown> & Record<Name, string>;
}
