import type { Metric } from '../contract/metrics-responses.ts';
import type { ValidityRule } from '../contract/validity-responses.ts';
import type { CheckLabels, FreshnessCheck, MetricCheck, RuleCheck } from './verdict.ts';
import type { Severity } from '../contract/vocabulary.ts';

/**
 * Which rules are checked: those that fit everything named here. A value that no active rule of the assets fits makes
 * the gate inconclusive.
 */
export interface RuleSelection {
  /** Rule types, in any case. */
  readonly rule_type?: string | readonly string[] | undefined;
  /** Tables as `<catalog>.<schema>.<table>`. */
  readonly table_path?: string | readonly string[] | undefined;
  /** Severities, in any case; a rule without one counts as `warning`. */
  readonly severity?: string | readonly string[] | undefined;
  /** The `uuid`s of rules, which may lie in any of the assets. */
  readonly ids?: readonly string[] | undefined;
  /** Owners, as `labels` returns them. */
  readonly owner?: string | readonly string[] | undefined;
  /** Tags, of which the rule has one or more, as `labels` returns them. */
  readonly tag?: string | readonly string[] | undefined;
}

/**
 * Which metrics are captured: those that fit everything named here. A value that no active metric of the assets fits
 * makes the gate inconclusive.
 */
export interface MetricSelection {
  /** Metric types, in any case. */
  readonly metric_type?: string | readonly string[] | undefined;
  /** The `id`s of metrics, which may lie in any of the assets. */
  readonly ids?: readonly string[] | undefined;
  /** Owners, as `labels` returns them. */
  readonly owner?: string | readonly string[] | undefined;
  /** Tags, of which the metric has one or more, as `labels` returns them. */
  readonly tag?: string | readonly string[] | undefined;
}

/** How old the data of an asset, or of one of its tables, may be. */
export interface FreshnessExpectation {
  /** The id of the asset: one of those that are checked. */
  readonly assetId: string;
  /**
   * The table, as `<catalog>.<schema>.<table>`; absent for the data of the asset as a whole. The interface does not show
   * what a service says about single tables: if it does not say it as the local service does, the gate is inconclusive.
   */
  readonly table_path?: string | undefined;
  /**
   * Oldest age allowed, in minutes, in addition to the threshold of the service.
   *
   * @default the threshold of the service alone
   */
  readonly maxAgeMinutes?: number | undefined;
}

/** When data counts as fresh, and how long the gate waits for it. */
export interface FreshnessCriteria {
  /**
   * Oldest age allowed, in minutes, in addition to the threshold of the service.
   *
   * @default the threshold of the service alone
   */
  readonly maxAgeMinutes?: number | undefined;
  /**
   * Milliseconds to wait for fresh data before anything is checked. It is not possible together with expectations of
   * single tables.
   *
   * @default 0
   */
  readonly waitMs?: number | undefined;
  /**
   * What is checked: these assets and tables and no others, as `freshnessExpectations` returns them for a definition.
   *
   * @default each asset as a whole
   */
  readonly expectations?: readonly FreshnessExpectation[] | undefined;
}

/** A part of the gate is about to begin. */
export interface GateStartedEvent {
  /** The start of a part. */
  readonly type: 'started';
  /** Which part begins. */
  readonly part: 'freshness' | 'rules' | 'metrics';
  /** The asset that is checked. */
  readonly assetId: string;
  /** How many checks this part has, skipped ones not counted. */
  readonly count: number;
}

/** A check of the gate has ended. */
export interface GateCheckEvent<Type extends 'freshness' | 'rule' | 'metric', Check> {
  /** What was checked. */
  readonly type: Type;
  /** The check and its outcome. */
  readonly check: Check;
  /** How many checks have ended. */
  readonly done: number;
  /** How many checks are known so far. */
  readonly total: number;
}

/** A step of the gate, for `onProgress`. */
export type GateEvent =
  | GateStartedEvent
  | GateCheckEvent<'freshness', FreshnessCheck>
  | GateCheckEvent<'rule', RuleCheck>
  | GateCheckEvent<'metric', MetricCheck>;

/** What the gate looks at, and what closes it. */
export interface GateOptions {
  /**
   * Rules to check now; `true` for all active ones.
   *
   * @default true
   */
  readonly rules?: boolean | RuleSelection | undefined;
  /**
   * Whether the data must be fresh, as `judgeFreshness` judges it.
   *
   * @default false
   */
  readonly freshness?: boolean | FreshnessCriteria | undefined;
  /**
   * Metrics to capture now; an anomaly is a failure.
   *
   * @default false
   */
  readonly metrics?: boolean | MetricSelection | undefined;
  /**
   * Returns the owner and tags of a rule or metric, such as `labelsOf(definition)`: `rules` and `metrics` select by them,
   * and what did not pass shows them.
   *
   * @default without owners and tags
   */
  readonly labels?: ((item: ValidityRule | Metric, assetId: string) => CheckLabels) | undefined;
  /**
   * The least severity of a failed rule that fails the gate; below it, the failure is tolerated.
   *
   * @default 'warning'
   */
  readonly failOn?: Severity | undefined;
  /**
   * Whether a table without rows may pass: a check that examined none, a `row_count` of 0.
   *
   * @default false
   */
  readonly allowEmpty?: boolean | undefined;
  /**
   * Most invalid rows a check collects.
   *
   * @default 10, which is the service's
   */
  readonly sampleLimit?: number | undefined;
  /**
   * Requests under way at once, over all assets; requests that wait for fresh data are not counted. The default is
   * high enough to leave the pace to the rate limiter of the client.
   *
   * @default 100
   */
  readonly concurrency?: number | undefined;
  /**
   * Milliseconds for the whole gate; what is not done by then is inconclusive.
   *
   * @default no limit
   */
  readonly timeout?: number | undefined;
  /** Ends the gate at once; what is not done by then is inconclusive. */
  readonly signal?: AbortSignal | undefined;
  /** Called at each step while the gate runs; what it throws ends the gate. */
  readonly onProgress?: ((event: GateEvent) => void) | undefined;
  /**
   * Whether a gate that does not open throws.
   *
   * @default true
   */
  readonly throw?: boolean | undefined;
}
