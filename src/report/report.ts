// Collects a report and renders it as a page.

import type {
  Freshness,
  InvalidSample,
  Metric,
  MetricSnapshot,
  ValidityCheckResult,
  ValidityRule,
  ValidityRuleDetail,
} from '../index.ts';
import type { CheckOutcome, Outcome, OutcomeCounts } from '../judgement/outcome.ts';
import type { Lineage } from './lineage.ts';
import type { Sla } from './sla.ts';

/** A rule with what its checks found. */
export interface ReportedRule {
  /** The rule, with its configuration if the service returned it. */
  readonly rule: ValidityRule & Partial<ValidityRuleDetail>;
  /** How its latest check ended; `skipped` if the rule is inactive, `inconclusive` if it was never checked. */
  readonly outcome: CheckOutcome;
  /** Its results, newest first. */
  readonly results: readonly ValidityCheckResult[];
  /** Rows that broke the rule; only a check returns them. */
  readonly samples: readonly InvalidSample[];
  /** Why the outcome is not `passed`; absent if the rule was never checked. */
  readonly reason?: string;
  /**
   * Whether a check that examined no rows may pass.
   *
   * @default false
   */
  readonly allowEmpty?: boolean | undefined;
}

/** The captured values of one group of a metric. */
export interface MetricSeries {
  /** Such as `country = NL`; undefined for a metric without groups. */
  readonly group: string | undefined;
  /** Oldest first. */
  readonly snapshots: readonly MetricSnapshot[];
}

/** A metric with its captured values. */
export interface ReportedMetric {
  readonly metric: Metric;
  /** How its latest capture ended. */
  readonly outcome: CheckOutcome;
  /** One series per group. */
  readonly series: readonly MetricSeries[];
  /** Why the outcome is not `passed`; absent if the metric was never captured. */
  readonly reason?: string;
}

/** The freshness of an asset. */
export interface ReportedFreshness {
  readonly outcome: CheckOutcome;
  /** What the service returned; absent if it could not be read. */
  readonly reading?: Freshness;
  /** Why the outcome is not `passed`. */
  readonly reason?: string;
}

/** Everything a report shows of one asset. */
export interface AssetReport {
  readonly assetId: string;
  /** Its qualified name, if the service returns one. */
  readonly assetName?: string;
  /** What keeps most from passing first: by outcome, then by severity. */
  readonly rules: readonly ReportedRule[];
  readonly metrics: readonly ReportedMetric[];
  /** Absent if the asset has no freshness configuration. */
  readonly freshness?: ReportedFreshness;
  /** How much of the past weeks it was fresh; absent if the service does not return it, or has not looked yet. */
  readonly sla?: Sla;
  /** Absent if nothing was uploaded, or the service does not return it. */
  readonly lineage?: Lineage;
}

/** Everything a report shows. */
export interface Report {
  /** The title of the page; by default the names of the assets. */
  readonly title?: string;
  /** When it was collected, ISO 8601, UTC. */
  readonly generatedAt: string;
  /** One failure fails it; it passes only if something passed and nothing is inconclusive. */
  readonly outcome: Outcome;
  /** How many rules, metrics and freshness readings ended in which way. */
  readonly counts: OutcomeCounts;
  readonly assets: readonly AssetReport[];
}
