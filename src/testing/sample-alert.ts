import type { AlertPayload, AlertCause } from '../webhooks/alert-event.ts';

interface Sample {
  readonly rule_name: string;
  readonly alert_type: AlertPayload['alert']['alert_type'];
  readonly change_type?: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const schemaChange: Sample = {
  rule_name: 'Column removed',
  alert_type: 'schema',
  change_type: 'column_removed',
  details: { column_name: 'email', column_type: 'VARCHAR' },
};

const check = {
  rule_id: 'v_0b6a3c1e-7d4f-4c55-8a8e-5e2c9a1d3f20',
  rule_type: 'NOT_NULL',
  column_name: 'email',
};
const capture = {
  metric_id: 'm_3f2b8c1d-5a6e-4b7f-9c8d-1e2f3a4b5c6d',
  metric_type: 'row_count',
  column_name: null,
};

const samples: Readonly<Record<string, Sample>> = {
  schema_change: schemaChange,
  freshness_violation: {
    rule_name: 'Freshness violation',
    alert_type: 'freshness',
    details: { last_updated: '2026-01-01T00:00:00Z', sla_threshold: '24h' },
  },
  discovery_complete: {
    rule_name: 'Discovery complete',
    alert_type: 'discovery',
    details: { table_count: 12, column_count: 140 },
  },
  connection_failed: {
    rule_name: 'Connection failed',
    alert_type: 'connection',
    details: { error: 'the file cannot be read' },
  },
  validity_failure: {
    rule_name: 'Emails are present',
    alert_type: 'validity',
    details: {
      ...check,
      severity: 'critical',
      status: 'fail',
      total_rows: 200,
      invalid_count: 8,
      invalid_percent: 4,
    },
  },
  validity_recovery: {
    rule_name: 'Emails are present',
    alert_type: 'validity',
    details: {
      ...check,
      severity: 'critical',
      status: 'pass',
      total_rows: 200,
      invalid_count: 0,
      invalid_percent: 0,
    },
  },
  metric_anomaly: {
    rule_name: 'row_count',
    alert_type: 'metric',
    details: { ...capture, status: 'FAIL', value: 3, z_score: -6.2, group_values: null },
  },
  metric_recovery: {
    rule_name: 'row_count',
    alert_type: 'metric',
    details: { ...capture, status: 'PASS', value: 200, z_score: 0.1, group_values: null },
  },
};

/** What an example alert is given rather than made up. */
export interface SampleOptions {
  /**
   * Id of the alert.
   *
   * @default a random UUID
   */
  readonly id?: string | undefined;
  /**
   * When the alert was created.
   *
   * @default the current time
   */
  readonly now?: Date | undefined;
}

/**
 * Builds an example alert for the tests of a receiver. A type that is not known has the fields
 * of a schema change.
 *
 * @example
 * const body = JSON.stringify(sampleAlert('freshness_violation'));
 * await handle(new Request(url, { method: 'POST', body, headers: { 'X-Service-Signature': await signPayload(body, secret) } }));
 */
export function sampleAlert(
  type: AlertCause['type'] = 'schema_change',
  { id = crypto.randomUUID(), now = new Date() }: SampleOptions = {},
): AlertPayload {
  const { rule_name, alert_type, change_type, details } = samples[type] ?? schemaChange;
  const status = type.endsWith('_recovery') ? 'resolved' : 'triggered';
  return {
    event_type: `alert.${status}`,
    alert: {
      id,
      rule_name,
      alert_type,
      status,
      created_at: now.toISOString().replace(/\.\d+Z$/, 'Z'),
    },
    event: {
      type,
      ...(change_type === undefined ? {} : { change_type }),
      asset: { qualified_name: 'warehouse.public.orders', asset_type: 'table' },
      details,
    },
    links: { alert_url: `https://dq.test/alerts/${id}`, asset_url: 'https://dq.test/assets' },
  };
}
