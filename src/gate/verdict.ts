import type { Freshness } from '../contract/freshness.ts';
import type { CapturedSnapshot, Metric } from '../contract/metrics-responses.ts';
import type { ExitCode } from '../judgement/exit-code.ts';
import type { CheckOutcome, Outcome, OutcomeCounts } from '../judgement/outcome.ts';
import type { ValidityCheck, ValidityRule } from '../contract/validity-responses.ts';

/** What all checks of a gate have in common. */
export interface Check {
  /** The asset that was checked. */
  readonly assetId: string;
  /** How the check ended. */
  readonly outcome: CheckOutcome;
  /** Why the outcome is not `passed`, in one sentence; absent if it is. */
  readonly reason?: string;
  /** What was thrown instead of a result. */
  readonly error?: unknown;
}

/** What the service does not know of a rule or metric, if the gate was given it. */
export interface CheckLabels {
  /** Who looks after it. */
  readonly owner?: string;
  /** Words to select it by. */
  readonly tags?: readonly string[];
}

/** The check of one rule. */
export interface RuleCheck extends Check, CheckLabels {
  /** The rule as the list returned it. */
  readonly rule: ValidityRule;
  /** What the check found; absent if it errored or was not run. */
  readonly result?: ValidityCheck;
}

/** The freshness of one asset, or of one of its tables. */
export interface FreshnessCheck extends Check {
  /** The table, as `<catalog>.<schema>.<table>`; absent for the asset as a whole. */
  readonly table_path?: string;
  /** The last response; absent if the request failed. */
  readonly freshness?: Freshness;
}

/** The capture of one metric. */
export interface MetricCheck extends Check, CheckLabels {
  /** The metric as the list returned it. */
  readonly metric: Metric;
  /** One snapshot, or one per group; absent if the capture failed or was not run. */
  readonly snapshots?: readonly CapturedSnapshot[];
}

/** A reason for an inconclusive gate that belongs to no single check: a list that failed, an empty selection. */
export interface Problem {
  /** The asset it concerns; absent if it concerns the whole selection. */
  readonly assetId?: string;
  /** What happened, in one sentence. */
  readonly reason: string;
  /** What was thrown, if anything was. */
  readonly error?: unknown;
  /** The exit code this problem alone would give. */
  readonly exitCode: ExitCode;
}

/** One verdict over rules, freshness and metrics. */
export interface Verdict {
  /** Only `passed` opens the gate. */
  readonly outcome: Outcome;
  /** The smallest code other than 0 among the reasons, so bad data (1) comes before everything else. */
  readonly exitCode: ExitCode;
  /** Every reason why the gate is closed, failures first; empty if it passed. */
  readonly reasons: readonly string[];
  /** One entry per selected rule, in the order of the assets and of their lists; inactive ones are skipped. */
  readonly checks: readonly RuleCheck[];
  /** One entry per asset or per expectation, if freshness was asked for. */
  readonly freshness: readonly FreshnessCheck[];
  /** One entry per selected metric, if metrics were asked for. */
  readonly metrics: readonly MetricCheck[];
  /** What is inconclusive beyond single checks. */
  readonly problems: readonly Problem[];
  /** How many checks of all kinds ended in which way; problems are not counted. */
  readonly counts: OutcomeCounts;
  /** When the gate started, ISO 8601, UTC. */
  readonly startedAt: string;
  /** How long the gate took, in milliseconds. */
  readonly durationMs: number;
}
