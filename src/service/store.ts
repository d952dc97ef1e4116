import type {
  GroupValues,
  Interval,
  MetricType,
  RuleType,
  Severity,
  UpdateMetric,
  UpdateValidityRule,
} from '../contract/index.ts';

/** A data asset of the service. */
export interface Asset {
  /** UUID; the `asset_id` of paths. */
  readonly id: string;
  /** Numeric id, distinct from the UUID; metrics have it as `asset_id`. */
  readonly numericId: number;
  /** Qualified name; the freshness endpoint accepts it instead of the id. */
  readonly name: string;
}

/** A validity rule with everything that was given on create, defaults filled in. */
export interface RuleRecord {
  /** Made by the store, counting up, never used twice. */
  readonly id: number;
  /** `v_` and a UUID. */
  readonly uuid: string;
  /** UUID of the asset. */
  readonly asset_id: string;
  readonly table_path: string;
  readonly column_name: string | null;
  readonly rule_type: RuleType;
  readonly rule_config: Readonly<Record<string, unknown>> | null;
  readonly name: string | null;
  readonly description: string | null;
  readonly severity: Severity;
  readonly error_message: string | null;
  readonly is_active: boolean;
  /** Percent units; null if none was given. */
  readonly alert_threshold_percent: number | null;
  readonly treat_null_as_valid: boolean;
  readonly check_interval: Interval;
  readonly created_at: string;
}

/** One check of a rule. */
export interface ResultRecord {
  /** Made by the store, counting up, never used twice. */
  readonly id: number;
  /** The rule's numeric `id`. */
  readonly validity_rule_id: number;
  readonly status: string;
  readonly total_rows: number;
  readonly invalid_count: number;
  /** Percent units, not rounded. */
  readonly invalid_percent: number;
  readonly execution_duration_ms: number;
  /** Why the rule could not be evaluated; null if it could. */
  readonly error_message: string | null;
  readonly checked_at: string;
}

/** A metric with everything that was given on create, defaults filled in. */
export interface MetricRecord {
  /** `m_` and a UUID. */
  readonly id: string;
  /** Made by the store, counting up, never used twice. */
  readonly internal_id: number;
  /** UUID of the asset. */
  readonly asset_id: string;
  readonly table_path: string;
  readonly column_name: string | null;
  readonly metric_type: MetricType;
  readonly capture_interval: Interval;
  readonly sensitivity: number;
  readonly is_active: boolean;
  readonly group_by_columns: readonly string[];
  /** 0 to 100; null but for `percentile`. */
  readonly percentile_value: number | null;
  readonly created_at: string;
}

/** One captured value of a metric. */
export interface SnapshotRecord {
  /** Made by the store, counting up, never used twice. */
  readonly id: number;
  /** The metric's `internal_id`. */
  readonly metric_definition_id: number;
  readonly value: number | null;
  readonly group_values: GroupValues;
  readonly captured_at: string;
  readonly is_anomaly: boolean;
  /** Null while the history is too short, and if the value or the history gives none. */
  readonly z_score: number | null;
  /** The value that the history lets expect, and the band that is not an anomaly; null like `z_score`. */
  readonly expected_value: number | null;
  readonly expected_lower: number | null;
  readonly expected_upper: number | null;
  readonly status: string;
  /** Why a value to judge is missing; null if there is one. */
  readonly error_message: string | null;
  /** Whether later captures are compared with it: a repeated capture of the same data is not. */
  readonly teaches: boolean;
  /** Whether a user has said that this value is normal from now on. */
  readonly accepted: boolean;
}

/** What later captures of one group are compared with. */
export interface GroupHistory {
  readonly group_values: GroupValues;
  /** Oldest first; a null was accepted, and means that the group is gone for good. */
  readonly points: readonly Pick<SnapshotRecord, 'value' | 'captured_at' | 'accepted'>[];
}

/** Which part of an ordered list is wanted. */
export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

/** A part of a list, and how long the whole is. */
export interface Listing<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** Filters of the list of rules; what is absent filters nothing. */
export interface RuleFilter {
  readonly rule_type?: string | undefined;
  readonly is_active?: boolean | undefined;
}

/** Filters of the list of metrics; what is absent filters nothing. */
export interface MetricFilter {
  readonly metric_type?: string | undefined;
  readonly is_active?: boolean | undefined;
}

/** How many records have each status. */
export type StatusCounts = ReadonlyMap<string, number>;

/** A node of the lineage graph: a model, seed, snapshot or source of a transformation manifest. */
export interface LineageNode {
  /** The manifest's unique id, such as `model.shop.orders`. */
  readonly id: string;
  readonly resource_type: string;
  readonly name: string;
  /** Dotted name of the table it becomes, if the manifest names it. */
  readonly table_path: string | null;
}

/** `to` is made from `from`; both are ids of nodes. */
export interface LineageEdge {
  readonly from: string;
  readonly to: string;
}

/** The lineage of an asset. */
export interface LineageGraph {
  readonly nodes: readonly LineageNode[];
  readonly edges: readonly LineageEdge[];
}

/** What adding to the lineage changed. */
export interface LineageChange {
  readonly nodes_created: number;
  readonly edges_created: number;
  readonly nodes_total: number;
  readonly edges_total: number;
}

/** The rules of all assets, listed in the order of their creation. */
export interface RuleStore {
  list(assetId: string, filter: RuleFilter, slice: Slice): Promise<Listing<RuleRecord>>;
  get(assetId: string, uuid: string): Promise<RuleRecord | undefined>;
  insert(rule: Omit<RuleRecord, 'id'>): Promise<RuleRecord>;
  /**
   * Returns the rule as it is now, `undefined` if it does not exist. Keys that are absent or undefined stay.
   */
  update(assetId: string, uuid: string, patch: UpdateValidityRule): Promise<RuleRecord | undefined>;
  /** Deletes the rule and its results; `false` if it does not exist. */
  delete(assetId: string, uuid: string): Promise<boolean>;
}

/** The results of all rules, listed newest first: by `checked_at`, then by `id`, both descending. */
export interface ResultStore {
  list(ruleId: number, slice: Slice): Promise<Listing<ResultRecord>>;
  insert(result: Omit<ResultRecord, 'id'>): Promise<ResultRecord>;
  /** Counts the rules of an asset by the status of their latest result; rules without one are not counted. */
  countLatest(assetId: string): Promise<StatusCounts>;
}

/** The metrics of all assets, listed in the order of their creation. */
export interface MetricStore {
  list(assetId: string, filter: MetricFilter, slice: Slice): Promise<Listing<MetricRecord>>;
  get(assetId: string, id: string): Promise<MetricRecord | undefined>;
  insert(metric: Omit<MetricRecord, 'internal_id'>): Promise<MetricRecord>;
  /**
   * Returns the metric as it is now, `undefined` if it does not exist. Keys that are absent or undefined
   * stay.
   */
  update(assetId: string, id: string, patch: UpdateMetric): Promise<MetricRecord | undefined>;
  /** Deletes the metric and its snapshots; `false` if it does not exist. */
  delete(assetId: string, id: string): Promise<boolean>;
}

/** The snapshots of all metrics, listed newest first: by `captured_at`, then by `id`, both descending. */
export interface SnapshotStore {
  list(metricId: number, slice: Slice): Promise<Listing<SnapshotRecord>>;
  /** Inserts the snapshots of one capture, all or none, and returns them in the same order. */
  insert(snapshots: readonly Omit<SnapshotRecord, 'id'>[]): Promise<readonly SnapshotRecord[]>;
  /** The latest snapshots of each group (equal as JSON text) that teach something, at most `most` of each. */
  history(metricId: number, most: number): Promise<readonly GroupHistory[]>;
  /** Marks the snapshots of the latest capture as accepted, and returns them as they are now. */
  accept(metricId: number): Promise<readonly SnapshotRecord[]>;
  /** Counts the snapshots of all metrics of an asset by their status. */
  count(assetId: string): Promise<StatusCounts>;
}

/** A time during which every observation found the same freshness of an asset. */
export interface FreshnessPeriod {
  /** `fresh`, `stale` or `unknown`. */
  readonly status: string;
  /** When it began, in ms since 1970. */
  readonly from: number;
  /** The last moment that is known to belong to it, in ms since 1970. */
  readonly until: number;
}

/** What observations of the freshness of all assets found, kept as periods. */
export interface FreshnessStore {
  /**
   * Remembers what an observation found at a time, in ms since 1970. The time since the one before belongs to what
   * that one found, unless it is longer than `mostGap` ms: then nobody knows.
   */
  record(
    assetId: string,
    observation: { readonly status: string; readonly at: number },
    mostGap: number,
  ): Promise<void>;
  /** Lists the periods that ended after a time, in ms since 1970, the oldest first. */
  list(assetId: string, since: number): Promise<readonly FreshnessPeriod[]>;
}

/** The lineage of all assets. */
export interface LineageStore {
  /** Adds what is not there yet (nodes by `id`, edges by both ends), all or nothing. */
  add(assetId: string, graph: LineageGraph): Promise<LineageChange>;
  get(assetId: string): Promise<LineageGraph>;
}

/**
 * What the service remembers. A promise is resolved only when the change is as durable as the store is:
 * whatever a client got a response to must survive.
 */
export interface Store {
  readonly rules: RuleStore;
  readonly results: ResultStore;
  readonly metrics: MetricStore;
  readonly snapshots: SnapshotStore;
  readonly freshness: FreshnessStore;
  readonly lineage: LineageStore;
}
