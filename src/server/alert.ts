import { randomUUID } from 'node:crypto';

import type { AlertPayload } from '../webhooks/alert-event.ts';
import { timestamp } from '../service/timestamp.ts';
import type { EventType } from '../contract/vocabulary.ts';
import type { DataEvent } from './events.ts';

const alertTypes = {
  schema_change: 'schema',
  freshness_violation: 'freshness',
  discovery_complete: 'discovery',
  connection_failed: 'connection',
} as const satisfies Readonly<Record<EventType, string>>;

const ruleNames = {
  schema_change: 'Schema change',
  freshness_violation: 'Freshness violation',
  discovery_complete: 'Discovery complete',
  connection_failed: 'Connection failed',
} as const satisfies Readonly<Record<EventType, string>>;

/** Where an alert comes from. */
export interface AlertOrigin {
  /** Address of the asset. */
  readonly assetUrl: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Writes an alert about an event (interface: Payload shape). */
export function alertOf(event: DataEvent, { assetUrl, now }: AlertOrigin): AlertPayload {
  const id = randomUUID();
  const { type, change_type: change, qualified_name: name, asset_type: kind, details } = event;
  return {
    event_type: 'alert.triggered',
    alert: {
      id,
      rule_name: ruleNames[type],
      alert_type: alertTypes[type],
      status: 'triggered',
      created_at: timestamp(now),
    },
    event: {
      type,
      ...(change === undefined ? {} : { change_type: change }),
      asset: { qualified_name: name, asset_type: kind },
      details,
    },
    links: { alert_url: `${assetUrl}#${id}`, asset_url: assetUrl },
  };
}
