import type { Freshness, MetricSnapshot, ValidityCheckResult, ValidityRule } from '../index.ts';
import type { Report, Standing } from './report.ts';

/** How a rule stands by its latest result; without one, nobody can tell. */
export function ruleStanding(rule: ValidityRule, latest: ValidityCheckResult | undefined): Standing {
  if (rule.is_active === false) return 'skipped';
  switch (latest?.status?.toLowerCase()) {
    case 'pass':
      return 'passed';
    case 'fail':
      return rule.severity?.toLowerCase() === 'info' ? 'tolerated' : 'failed';
    default:
      return 'inconclusive';
  }
}

/** How a metric stands by the latest snapshot of each of its groups. */
export function metricStanding(
  isActive: boolean | null | undefined,
  latest: readonly (MetricSnapshot | undefined)[],
): Standing {
  if (isActive === false) return 'skipped';
  const statuses = latest.map((snapshot) => snapshot?.status?.toLowerCase());
  if (statuses.includes('fail') || latest.some((snapshot) => snapshot?.is_anomaly === true)) return 'failed';
  return statuses.length > 0 && statuses.every((status) => status === 'pass') ? 'passed' : 'inconclusive';
}

/** How freshness stands. */
export function freshnessStanding({ status }: Freshness): Standing {
  switch (status?.toLowerCase()) {
    case 'fresh':
      return 'passed';
    case 'stale':
      return 'failed';
    default:
      return 'inconclusive';
  }
}

/** Counts the standings. */
export function count(standings: readonly Standing[]): Report['counts'] {
  const counts = { passed: 0, failed: 0, tolerated: 0, inconclusive: 0, skipped: 0 };
  for (const standing of standings) counts[standing] += 1;
  return counts;
}

/** The verdict over everything: one failure fails it, and nothing unclear passes. */
export function outcomeOf({ failed, inconclusive, passed, tolerated }: Report['counts']): Report['outcome'] {
  if (failed > 0) return 'failed';
  return inconclusive > 0 || passed + tolerated === 0 ? 'inconclusive' : 'passed';
}
