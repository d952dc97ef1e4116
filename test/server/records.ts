import type { MetricRecord, RuleRecord, SnapshotRecord } from '../../src/service/store.ts';

/** The asset of the records. */
export const assetId = '11111111-1111-8111-8111-111111111111';

/** A rule as a store takes it. */
export function rule(uuid: string, more: Partial<RuleRecord> = {}): Omit<RuleRecord, 'id'> {
  return {
    uuid,
    asset_id: assetId,
    table_path: 'shop.main.a',
    column_name: 'a',
    rule_type: 'NOT_NULL',
    rule_config: null,
    name: null,
    description: null,
    severity: 'warning',
    error_message: null,
    is_active: true,
    alert_threshold_percent: null,
    treat_null_as_valid: false,
    check_interval: 'daily',
    created_at: '2026-03-01T12:00:00.000Z',
    ...more,
  };
}

/** A metric as a store takes it. */
export function metric(id: string): Omit<MetricRecord, 'internal_id'> {
  return {
    id,
    asset_id: assetId,
    table_path: 'shop.main.a',
    column_name: 'a',
    metric_type: 'avg_value',
    capture_interval: 'daily',
    sensitivity: 1,
    is_active: true,
    group_by_columns: [],
    percentile_value: null,
    created_at: '2026-03-01T12:00:00.000Z',
  };
}

/** A snapshot as a store takes it. */
export function snapshot(metricId: number, more: Partial<SnapshotRecord>): Omit<SnapshotRecord, 'id'> {
  return {
    metric_definition_id: metricId,
    value: 1,
    group_values: null,
    captured_at: '2026-03-01T12:00:00.000Z',
    is_anomaly: false,
    z_score: null,
    expected_value: null,
    expected_lower: null,
    expected_upper: null,
    status: 'PASS',
    error_message: null,
    teaches: true,
    accepted: false,
    ...more,
  };
}
