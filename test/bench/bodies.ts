/** Bodies of the service of the benchmark: one rule, and pages of 50,000 snapshots. */
const snapshotCount = 50_000;

export const rule = JSON.stringify({
  data: {
    id: 1042,
    uuid: 'v_7c1f7a52-8d3e-4b5e-9f0a-2f6f1f0f3c11',
    table_path: 'warehouse.sales.orders',
    column_name: 'customer_email',
    rule_type: 'REGEX',
    rule_config: { pattern: '^[^@\\s]+@[^@\\s]+$' },
    name: 'Customer e-mail looks like one',
    description: 'Marketing sends to this address.',
    severity: 'critical',
    is_active: true,
    alert_threshold_percent: 0.5,
    treat_null_as_valid: true,
    check_interval: 'daily',
  },
});

/** How many rules the gate checks. */
export const ruleCount = 240;

export function rulePage(limit: number, offset: number): string {
  const items = Array.from({ length: Math.max(0, Math.min(limit, ruleCount - offset)) }, (_, index) => ({
    id: offset + index + 1,
    uuid: `v_${offset + index + 1}`,
    table_path: 'warehouse.sales.orders',
    column_name: `column_${offset + index + 1}`,
    rule_type: 'NOT_NULL',
    name: null,
    severity: 'critical',
    is_active: true,
    check_interval: 'daily',
    created_at: '2026-03-01T12:00:00Z',
  }));
  const pagination = { total: ruleCount, limit, offset, has_more: offset + limit < ruleCount };
  return JSON.stringify({ data: { items }, pagination });
}

export const check = JSON.stringify({
  data: {
    id: 1,
    validity_rule_id: 1,
    status: 'pass',
    total_rows: 1000,
    invalid_count: 0,
    invalid_percent: 0,
    execution_duration_ms: 5,
    checked_at: '2026-03-01T12:00:00Z',
    invalid_samples: null,
  },
});

export function snapshotPage(limit: number, offset: number): string {
  const items = Array.from({ length: Math.max(0, Math.min(limit, snapshotCount - offset)) }, (_, index) => ({
    id: offset + index + 1,
    metric_definition_id: 17,
    value: 120_000 + ((offset + index) % 997) / 8,
    captured_at: '2026-03-01T12:00:00Z',
    is_anomaly: false,
    z_score: 0.125,
    status: 'PASS',
  }));
  const pagination = { total: snapshotCount, limit, offset, has_more: offset + limit < snapshotCount };
  return JSON.stringify({ data: { items }, pagination });
}
