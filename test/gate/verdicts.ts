import type { CapturedSnapshot, Freshness, Metric, ValidityCheck } from 'data-quality-client';
import type { Check, RuleCheck, Verdict } from 'data-quality-client/gate';

export const assetId = '5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01';

/** The check of one rule, as the gate writes it down. */
export function ruleCheck(
  outcome: Check['outcome'],
  { name = 'amount', rule = {}, result, ...fields }: CheckFields = {},
): RuleCheck {
  return {
    assetId,
    outcome,
    rule: {
      id: 1,
      uuid: `v_${name}`,
      table_path: 'shop.sales.orders',
      column_name: 'amount',
      rule_type: 'RANGE',
      name,
      severity: 'critical',
      is_active: true,
      check_interval: 'daily',
      created_at: '2026-01-01T00:00:00Z',
      ...rule,
    },
    ...(outcome === 'passed' ? {} : { reason: `it ${outcome}` }),
    // A response may lack what a rendering does not need.
    ...(result === undefined ? {} : { result: result as ValidityCheck }),
    ...fields,
  };
}

interface CheckFields extends Partial<Omit<RuleCheck, 'rule' | 'result'>> {
  readonly name?: string;
  readonly rule?: Partial<RuleCheck['rule']>;
  readonly result?: Partial<RuleCheck['result']>;
}

/** A verdict over some checks. */
export function verdictOf(parts: Partial<Verdict>): Verdict {
  const { checks = [], freshness = [], metrics = [] } = parts;
  const counts = { passed: 0, failed: 0, inconclusive: 0, tolerated: 0, skipped: 0 };
  for (const { outcome } of [...checks, ...freshness, ...metrics]) counts[outcome]++;
  return {
    outcome: counts.failed > 0 ? 'failed' : 'passed',
    exitCode: counts.failed > 0 ? 1 : 0,
    reasons: [],
    checks,
    freshness,
    metrics,
    problems: [],
    counts,
    startedAt: '2026-01-02T03:04:05.678Z',
    durationMs: 1234,
    ...parts,
  };
}

/** One of everything that can be rendered. */
export function everything(): Verdict {
  return verdictOf({
    outcome: 'failed',
    exitCode: 1,
    checks: [
      ruleCheck('passed', { name: 'fine' }),
      ruleCheck('failed', {
        name: 'bad',
        reason: '2 of 10,000 rows are invalid (0.02 %)',
        result: {
          id: 7,
          status: 'fail',
          total_rows: 10_000,
          invalid_count: 2,
          invalid_percent: 0.02,
          execution_duration_ms: 1500,
          invalid_samples: {
            samples: [
              { row_id: 3, value: 'jane@example.com' },
              { row_id: 9, value: null },
            ],
          },
        },
      }),
      ruleCheck('inconclusive', { name: 'broken', error: new Error('no such column') }),
      ruleCheck('tolerated', { name: 'minor' }),
      ruleCheck('skipped', { name: 'off' }),
    ],
    freshness: [
      {
        assetId,
        outcome: 'failed',
        reason: 'the data is stale',
        freshness: { asset: 'shop.sales', status: 'stale' } as Freshness,
      },
    ],
    metrics: [
      {
        assetId,
        outcome: 'passed',
        metric: { id: 'm_1', metric_type: 'row_count', table_path: 'shop.sales.orders' } as Metric,
        snapshots: [{ id: 1, value: 12_345 } as CapturedSnapshot],
      },
    ],
    problems: [{ assetId, reason: 'the metrics could not be listed', exitCode: 6 }],
  });
}
