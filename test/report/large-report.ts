import type { MetricSnapshot, ValidityCheckResult } from 'data-quality-client';

import { countOutcomes } from '../../src/judgement/outcome.ts';
import type { AssetReport, Report, ReportedMetric, ReportedRule } from '../../src/report/report.ts';

const day = 86_400_000;
const start = Date.UTC(2025, 10, 1);
const days = 365;

/** How large a report is. */
interface ReportSize {
  readonly rules?: number;
  readonly metrics?: number;
  readonly results?: number;
}

/** A report over a year, always the same one; by default of 240 rules and 100 metrics. */
export function largeReport({ rules = 240, metrics = 100, results = 30 }: ReportSize = {}): Report {
  const random = createRandom(7);
  const asset = {
    assetId: '5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01',
    assetName: 'warehouse.<sales> & "co"',
    rules: Array.from({ length: rules }, (_, at) => rule(at, results, random)),
    metrics: Array.from({ length: metrics }, (_, at) => metric(at, random)),
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
      reason: 'the data is stale: last updated 2,000 minutes ago (threshold 24h)',
    },
    lineage: {
      nodes: [...lineageNames, 'an_unused_seed'].map((name) => ({
        id: `model.shop.${name}`,
        name,
        resource_type: name.startsWith('raw') ? 'source' : 'model',
        table_path: `warehouse.sales.${name}`,
      })),
      edges: lineageEdges.map(([from, to]) => ({ from: `model.shop.${from}`, to: `model.shop.${to}` })),
    },
  } as const satisfies AssetReport;
  const parts = [...asset.rules, ...asset.metrics, asset.freshness];
  return {
    generatedAt: timestamp(days),
    outcome: 'failed',
    counts: countOutcomes(parts.map(({ outcome }) => outcome)),
    assets: [asset],
  };
}

const lineageEdges = [
  ['raw_orders', 'stg_orders'],
  ['raw_customers_of_all_the_shops_of_the_world', 'stg_customers'],
  ['raw_payments', 'orders_1'],
  ['stg_orders', 'orders_0'],
  ['stg_customers', 'orders_0'],
  ['stg_orders', 'orders_1'],
  ['orders_0', 'orders_2'],
  ['orders_1', 'orders_2'],
  ['orders_1', 'orders_3'],
  ['orders_2', 'monthly_revenue'],
] as const;
const lineageNames = [...new Set(lineageEdges.flat())];

const kinds = [
  ['NOT_NULL', null],
  ['UNIQUE', null],
  ['REGEX', { pattern: '^[^@<>]+@[^@]+$' }],
  ['RANGE', { min: 0, max: 10_000 }],
  ['ENUM', { allowed_values: ['open', 'paid', '<b>shipped</b>', null] }],
  ['DATE_FORMAT', { format: 'YYYY-MM-DD' }],
  ['CUSTOM_SQL', { sql_expression: 'shipped_at >= ordered_at\n  AND total < 1e6' }],
] as const;

function rule(at: number, length: number, random: () => number): ReportedRule {
  const results = Array.from({ length }, (_, back) => result(back, at % 30 === 0 ? 0.4 : 0.01, random));
  const failed = results[0]?.status === 'fail';
  const errored = results[0]?.status === 'error';
  const [type, config] = kinds[at % kinds.length] ?? kinds[0];
  return {
    rule: {
      id: at,
      uuid: `v_${at}`,
      name: at % 3 === 0 ? null : `rule ${at}: customers keep their address`,
      rule_type: type,
      rule_config: config,
      description: at % 4 === 0 ? 'Invoices go to this address, so it has to be one.' : null,
      alert_threshold_percent: at % 2 === 0 ? 0.5 : null,
      treat_null_as_valid: at % 5 === 0,
      table_path: `warehouse.sales.orders_${at % 7}`,
      column_name: type === 'CUSTOM_SQL' ? null : `column_${at}`,
      severity: ['critical', 'warning', 'info'][at % 3] ?? 'info',
      is_active: at % 17 !== 0,
      check_interval: 'daily',
      created_at: timestamp(0),
    },
    outcome: at % 17 === 0 ? 'skipped' : failed ? 'failed' : errored ? 'inconclusive' : 'passed',
    results,
    samples: failed
      ? Array.from({ length: 10 }, (_, row) => ({
          row_id: 1000 * row + 7,
          value: '<script>alert(1)</script>',
          row: { order_id: 512 + row, email: 'ann@example.org', total: 12.5, shipped_at: null },
        }))
      : [],
    ...(errored && { reason: 'the check ended with the status "error": column "a" does not exist' }),
  };
}

function result(back: number, share: number, random: () => number): ValidityCheckResult {
  const failed = random() < share;
  const count = failed ? Math.ceil(random() * 9000) : 0;
  return {
    id: back,
    validity_rule_id: 1,
    execution_duration_ms: 12,
    status: failed ? 'fail' : random() < 0.005 ? 'error' : 'pass',
    total_rows: 1_000_000,
    invalid_count: count,
    invalid_percent: count / 10_000,
    checked_at: timestamp(days - back),
  };
}

const metricKinds = ['row_count', 'null_percent', 'avg_value', 'percentile'] as const;

function metric(at: number, random: () => number): ReportedMetric {
  const kind = metricKinds[at % metricKinds.length] ?? 'row_count';
  const level = { row_count: 15e9, null_percent: 4, avg_value: 1200, percentile: 3e6 }[kind];
  let wander = 0;
  const snapshots = Array.from({ length: days }, (_, on): MetricSnapshot => {
    wander = wander * 0.95 + (random() - 0.5) * 0.02;
    const expected = level * (1 + wander + 0.03 * Math.sin(on / 7));
    const isAnomaly = random() < 0.01;
    return {
      id: on,
      metric_definition_id: 1,
      value: expected * (isAnomaly ? 1.2 : 1 + (random() - 0.5) * 0.02),
      captured_at: timestamp(on),
      is_anomaly: isAnomaly,
      z_score: isAnomaly ? 4.25 : random(),
      status: isAnomaly ? 'FAIL' : 'PASS',
      ...(at % 10 !== 9 && {
        expected_value: expected,
        expected_lower: expected * 0.96,
        expected_upper: expected * 1.04,
      }),
    };
  });
  const groups = at % 10 === 9 ? ['country = NL', 'country = DE', 'country = <i>FR</i>'] : [undefined];
  return {
    metric: {
      id: `m_${at}`,
      internal_id: at,
      asset_id: 1,
      capture_interval: 'daily',
      sensitivity: 1,
      is_active: true,
      created_at: timestamp(0),
      metric_type: kind,
      ...(kind === 'percentile' && { percentile_value: 95 }),
      table_path: `warehouse.sales.orders_${at % 7}`,
      column_name: kind === 'row_count' ? null : `column_${at}`,
    },
    outcome: snapshots.at(-1)?.is_anomaly === true ? 'failed' : 'passed',
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
