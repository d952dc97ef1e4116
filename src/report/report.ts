import type {
  Freshness,
  InvalidSample,
  Metric,
  MetricSnapshot,
  ValidityCheckResult,
  ValidityRule,
} from '../index.ts';
import type { Lineage } from './lineage.ts';

/** How a rule, a metric or freshness stands in a report: `tolerated` fails with the severity info. */
export type Standing = 'passed' | 'failed' | 'tolerated' | 'inconclusive' | 'skipped';

/** A rule with what its checks found. */
export interface ReportedRule {
  readonly rule: ValidityRule;
  readonly standing: Standing;
  /** Newest first. */
  readonly results: readonly ValidityCheckResult[];
  /** Rows that broke the rule; checks alone return them, so they are there only after a check. */
  readonly samples: readonly InvalidSample[];
  /** Why there is no result. */
  readonly reason?: string;
}

/** The captured values of one group of a metric. */
export interface MetricSeries {
  /** Such as `country = NL`; undefined where the metric has no groups. */
  readonly group: string | undefined;
  /** Oldest first. */
  readonly snapshots: readonly MetricSnapshot[];
}

/** A metric with its captured values. */
export interface ReportedMetric {
  readonly metric: Metric;
  readonly standing: Standing;
  readonly series: readonly MetricSeries[];
  /** Why there is no value. */
  readonly reason?: string;
}

/** The freshness of the asset. */
export interface ReportedFreshness {
  readonly standing: Standing;
  readonly reading?: Freshness;
  /** Why there is no reading. */
  readonly reason?: string;
}

/** Everything a report shows. */
export interface Report {
  readonly assetId: string;
  /** Qualified name, where the service tells it. */
  readonly assetName?: string;
  /** ISO 8601, UTC. */
  readonly generatedAt: string;
  readonly outcome: 'passed' | 'failed' | 'inconclusive';
  /** How many rules, metrics and freshness readings stand in which way. */
  readonly counts: Readonly<Record<Standing, number>>;
  /** The gravest severity first, and what is bad first within it. */
  readonly rules: readonly ReportedRule[];
  readonly metrics: readonly ReportedMetric[];
  /** Absent where the asset has no freshness configuration. */
  readonly freshness?: ReportedFreshness;
  /** Absent where nothing was uploaded, or the service does not tell. */
  readonly lineage?: Lineage;
}
