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
