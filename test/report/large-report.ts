import type { MetricSnapshot, ValidityCheckResult } from 'data-quality-client';

import type { Report, ReportedMetric, ReportedRule } from '../../src/report/report.ts';

const day = 86_400_000;
const start = Date.UTC(2025, 10, 1);
const days = 365;

/** A report of 200 rules and 100 metrics over a year, always the same one. */
export function largeReport(results = 30): Report {
  const random = createRandom(7);
  const rules = Array.from({ length: 200 }, (_, at) => rule(at, results, random));
  const metrics = Array.from({ length: 100 }, (_, at) => metric(at, random));
  return {
    assetId: '5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01',
    assetName: 'warehouse.<sales> & "co"',
    generatedAt: timestamp(days),
    outcome: 'failed',
    counts: { passed: 279, failed: 7, tolerated: 2, inconclusive: 0, skipped: 12 },
    rules,
    metrics,
    freshness: {
      outcome: 'failed',
      reading: {
        asset: 'warehouse.sales',
        status: 'stale',
        last_updated: timestamp(days - 2),
        sla_threshold: '24h',
        sla_status: 'violated',
        data_age_minutes: 2000,
        timestamp_column: 'updated_at',
        checked_at: timestamp(days),
      },
    },
    lineage: {
      nodes: ['raw_orders', 'orders', 'customers'].map((name) => ({
        id: name,
        name,
        resource_type: 'model',
      })),
      edges: [
        { from: 'raw_orders', to: 'orders' },
        { from: 'orders', to: 'customers' },
      ],
    },
  };
}

function rule(at: number, length: number, random: () => number): ReportedRule {
  const results = Array.from({ length }, (_, back) => result(back, at % 10 === 0 ? 0.3 : 0.02, random));
  const failed = results[0]?.status === 'fail';
  return {
    rule: {
      id: at,
      uuid: `v_${at}`,
      name: at % 3 === 0 ? null : `rule ${at}: customers keep their address`,
      rule_type: ['NOT_NULL', 'UNIQUE', 'REGEX', 'RANGE', 'ENUM'][at % 5] ?? 'ENUM',
      table_path: `warehouse.sales.orders_${at % 7}`,
      column_name: `column_${at}`,
      severity: ['critical', 'warning', 'info'][at % 3] ?? 'info',
      is_active: at % 17 !== 0,
      check_interval: 'daily',
      created_at: timestamp(0),
    },
    outcome: at % 17 === 0 ? 'skipped' : failed ? 'failed' : 'passed',
    results,
    samples: failed ? [{ row_id: 7, value: '<script>alert(1)</script>' }] : [],
  };
}

function result(back: number, share: number, random: () => number): ValidityCheckResult {
  const failed = random() < share;
  return {
    id: back,
    validity_rule_id: 1,
    execution_duration_ms: 12,
    status: failed ? 'fail' : random() < 0.01 ? 'error' : 'pass',
    total_rows: 1_000_000,
    invalid_count: failed ? 4 : 0,
    invalid_percent: failed ? 0.0004 : 0,
    checked_at: timestamp(days - back),
  };
}

function metric(at: number, random: () => number): ReportedMetric {
  let value = 1000 + at * 50;
  const snapshots = Array.from({ length: days }, (_, on): MetricSnapshot => {
    value += (random() - 0.5) * 20;
    const isAnomaly = random() < 0.01;
    return {
      id: on,
      metric_definition_id: 1,
      value: isAnomaly ? value * 1.3 : value,
      captured_at: timestamp(on),
      is_anomaly: isAnomaly,
      z_score: isAnomaly ? 4.25 : random(),
      status: isAnomaly ? 'FAIL' : 'PASS',
    };
  });
  const groups = at % 10 === 9 ? ['country = NL', 'country = DE', 'country = FR'] : [undefined];
  return {
    metric: {
      id: `m_${at}`,
      internal_id: at,
      asset_id: 1,
      capture_interval: 'daily',
      sensitivity: 1,
      is_active: true,
      created_at: timestamp(0),
      metric_type: ['row_count', 'null_percent', 'avg_value', 'percentile'][at % 4] ?? 'row_count',
      table_path: `warehouse.sales.orders_${at % 7}`,
      column_name: at % 4 === 0 ? null : `column_${at}`,
    },
    outcome: 'passed',
    series: groups.map((group, part) => ({
      group,
      snapshots: snapshots.filter((_, on) => on % groups.length === part),
    })),
  };
}

function timestamp(on: number): string {
  return new Date(start + on * day).toISOString().replace('.000Z', 'Z');
}

/** Numbers that are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}
