import { randomUUID } from 'node:crypto';

import { timestamp } from '../service/timestamp.ts';
import type { AlertPayload } from '../webhooks/alert-event.ts';
import type { DataEvent } from './events.ts';

const kinds = {
  schema_change: { alertType: 'schema', name: 'Schema change' },
  freshness_violation: { alertType: 'freshness', name: 'Freshness violation' },
  discovery_complete: { alertType: 'discovery', name: 'Discovery complete' },
  connection_failed: { alertType: 'connection', name: 'Connection failed' },
  validity_failure: { alertType: 'validity', name: 'Validity failure' },
  validity_recovery: { alertType: 'validity', name: 'Validity recovery' },
  metric_anomaly: { alertType: 'metric', name: 'Metric anomaly' },
  metric_recovery: { alertType: 'metric', name: 'Metric recovery' },
} as const;

/** Where an alert comes from. */
export interface AlertOrigin {
  /** Address of the asset, or of the rule or metric. */
  readonly assetUrl: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Writes an alert about an event. */
export function alertOf(event: DataEvent, { assetUrl, now }: AlertOrigin): AlertPayload {
  const id = randomUUID();
  const { type, change_type: change, qualified_name: name, asset_type: kind, details } = event;
  const status = type === 'validity_recovery' || type === 'metric_recovery' ? 'resolved' : 'triggered';
  return {
    event_type: `alert.${status}`,
    alert: {
      id,
      rule_name: event.rule_name ?? kinds[type].name,
      alert_type: kinds[type].alertType,
      status,
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
