import type { FreshnessCheck, MetricCheck, RuleCheck } from './verdict.ts';
import type { Severity } from '../contract/vocabulary.ts';

/** Which rules are checked: those that fit everything named here. */
export interface RuleSelection {
  readonly rule_type?: string | readonly string[] | undefined;
  readonly table_path?: string | readonly string[] | undefined;
  readonly severity?: string | readonly string[] | undefined;
  /** The `uuid`s of rules; one that no asset has makes the gate inconclusive. */
  readonly ids?: readonly string[] | undefined;
}

/** Which metrics are captured: those that fit everything named here. */
export interface MetricSelection {
  readonly metric_type?: string | readonly string[] | undefined;
  /** The `id`s of metrics; one that no asset has makes the gate inconclusive. */
  readonly ids?: readonly string[] | undefined;
}

/** When data counts as fresh, and how long the gate waits for it. */
export interface FreshnessCriteria {
  /** Oldest age allowed, in minutes; by default the service's own threshold decides. */
  readonly maxAgeMinutes?: number | undefined;
  /** Milliseconds to wait for fresh data before anything is checked; default 0. */
  readonly waitMs?: number | undefined;
}

/** Something the gate is about to do (`started`) or has done; `done` of `total` checks known so far have ended. */
export type GateEvent =
  | {
      readonly type: 'started';
      readonly part: 'freshness' | 'rules' | 'metrics';
      readonly assetId: string;
      /** How many checks this part brings, those skipped not counted. */
      readonly count: number;
    }
  | {
      readonly type: 'freshness';
      readonly check: FreshnessCheck;
      readonly done: number;
      readonly total: number;
    }
  | { readonly type: 'rule'; readonly check: RuleCheck; readonly done: number; readonly total: number }
  | { readonly type: 'metric'; readonly check: MetricCheck; readonly done: number; readonly total: number };

/** What the gate looks at, and what closes it. */
export interface GateOptions {
  /** Rules to check now; default true, all active ones. */
  readonly rules?: boolean | RuleSelection | undefined;
  /** Whether the data must be fresh; default false. */
  readonly freshness?: boolean | FreshnessCriteria | undefined;
  /** Metrics to capture now, where an anomaly is a failure; default false. */
  readonly metrics?: boolean | MetricSelection | undefined;
  /** The least severity of a failed rule that fails the gate; default `warning`. */
  readonly failOn?: Severity | undefined;
  /**
   * Whether a table without rows may pass: a check that examined none, a `row_count` of 0.
   *
   * @default false
   */
  readonly allowEmpty?: boolean | undefined;
  /** Most invalid rows a check collects; the service's default is 10. */
  readonly sampleLimit?: number | undefined;
  /** Checks and captures under way at once, over all assets; default 8. */
  readonly concurrency?: number | undefined;
  /** Milliseconds for the whole gate; what is not done by then is inconclusive. Default none. */
  readonly timeout?: number | undefined;
  /** Ends the gate at once; what is not done by then is inconclusive. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each step while the gate runs. */
  readonly onProgress?: ((event: GateEvent) => void) | undefined;
  /** Whether a gate that does not open throws; default true. */
  readonly throw?: boolean | undefined;
}
