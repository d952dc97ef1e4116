import type {
  Freshness,
  InvalidSample,
  Metric,
  MetricSnapshot,
  ValidityCheckResult,
  ValidityRule,
} from '../index.ts';
import type { CheckOutcome, OutcomeCounts } from '../judgement/outcome.ts';
import type { Lineage } from './lineage.ts';

/** A rule with what its checks found. */
export interface ReportedRule {
  readonly rule: ValidityRule;
  readonly outcome: CheckOutcome;
  /** Newest first. */
  readonly results: readonly ValidityCheckResult[];
  /** Rows that broke the rule; checks alone return them, so they are there only after a check. */
  readonly samples: readonly InvalidSample[];
  /** Why the outcome is not `passed`; absent if the rule was never checked. */
  readonly reason?: string;
}

/** The captured values of one group of a metric. */
export interface MetricSeries {
  /** Such as `country = NL`; undefined if the metric has no groups. */
  readonly group: string | undefined;
  /** Oldest first. */
  readonly snapshots: readonly MetricSnapshot[];
}

/** A metric with its captured values. */
export interface ReportedMetric {
  readonly metric: Metric;
  readonly outcome: CheckOutcome;
  readonly series: readonly MetricSeries[];
  /** Why the outcome is not `passed`; absent if the metric was never captured. */
  readonly reason?: string;
}

/** The freshness of the asset. */
export interface ReportedFreshness {
  readonly outcome: CheckOutcome;
  readonly reading?: Freshness;
  /** Why the outcome is not `passed`. */
  readonly reason?: string;
}

/** Everything a report shows. */
export interface Report {
  readonly assetId: string;
  /** Qualified name, if the service returns it. */
  readonly assetName?: string;
  /** ISO 8601, UTC. */
  readonly generatedAt: string;
  readonly outcome: 'passed' | 'failed' | 'inconclusive';
  /** How many rules, metrics and freshness readings ended in which way. */
  readonly counts: OutcomeCounts;
  /** The highest severity first, and within it what is bad. */
  readonly rules: readonly ReportedRule[];
  readonly metrics: readonly ReportedMetric[];
  /** Absent if the asset has no freshness configuration. */
  readonly freshness?: ReportedFreshness;
  /** Absent if nothing was uploaded, or the service does not return it. */
  readonly lineage?: Lineage;
}
