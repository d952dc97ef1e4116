import type { Freshness } from '../contract/freshness.ts';
import type { CapturedSnapshot, Metric } from '../contract/metrics.ts';
import type { ExitCode } from '../judgement/exit-code.ts';
import type { CheckOutcome, Outcome, OutcomeCounts } from '../judgement/outcome.ts';
import type { ValidityCheck, ValidityRule } from '../contract/validity.ts';

/** What all checks of a gate have in common. */
export interface Check {
  readonly assetId: string;
  readonly outcome: CheckOutcome;
  /** Why the outcome is not `passed`, in one sentence; absent where it is. */
  readonly reason?: string;
  /** What was thrown instead of a result. */
  readonly error?: unknown;
}

/** The check of one rule. */
export interface RuleCheck extends Check {
  readonly rule: ValidityRule;
  readonly result?: ValidityCheck;
}

/** The freshness of one asset. */
export interface FreshnessCheck extends Check {
  readonly freshness?: Freshness;
}

/** The capture of one metric. */
export interface MetricCheck extends Check {
  readonly metric: Metric;
  /** One snapshot, or one a group. */
  readonly snapshots?: readonly CapturedSnapshot[];
}

/** Why the gate could not tell that belongs to no single check: a list that failed, an empty selection. */
export interface Problem {
  /** The asset it concerns; absent where it concerns the whole selection. */
  readonly assetId?: string;
  /** What happened, in one sentence. */
  readonly reason: string;
  readonly error?: unknown;
  readonly exitCode: ExitCode;
}

/** One verdict over rules, freshness and metrics. */
export interface Verdict {
  readonly outcome: Outcome;
  /** The smallest code other than 0 among the reasons, so bad data (1) comes before everything else. */
  readonly exitCode: ExitCode;
  /** Every reason why the gate is closed, failures first; empty where it passed. */
  readonly reasons: readonly string[];
  /** One entry a selected rule, in the order of the assets and of their lists; inactive ones are skipped. */
  readonly checks: readonly RuleCheck[];
  /** One entry an asset, where freshness was asked for. */
  readonly freshness: readonly FreshnessCheck[];
  /** One entry a selected metric, where metrics were asked for. */
  readonly metrics: readonly MetricCheck[];
  readonly problems: readonly Problem[];
  readonly counts: OutcomeCounts;
  /** When the gate began, ISO 8601, UTC. */
  readonly startedAt: string;
  /** Milliseconds. */
  readonly durationMs: number;
}
