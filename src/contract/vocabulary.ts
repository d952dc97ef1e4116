// The words and limits of the service, without zod, so that a room that needs a word does not load the
// schemas.

/** One of the documented values, which editors offer, or any other string: the service grows. */
export type LiteralUnion<Documented extends string> = Documented | (string & Record<never, never>);

/** The documented rule types. */
export const ruleTypes = [
  'NOT_NULL',
  'UNIQUE',
  'REGEX',
  'RANGE',
  'ENUM',
  'DATE_FORMAT',
  'CUSTOM_SQL',
] as const;

/** A documented rule type. */
export type RuleType = (typeof ruleTypes)[number];

/** The documented severities, the least severe first. */
export const severities = ['info', 'warning', 'critical'] as const;

/** A documented severity. */
export type Severity = (typeof severities)[number];

/** How often a rule can be checked or a metric captured. */
export const intervals = ['hourly', 'daily', 'weekly'] as const;

/** How often a rule is checked or a metric captured. */
export type Interval = (typeof intervals)[number];

/** The documented metric types; all but `row_count` need a column. */
export const metricTypes = [
  'row_count',
  'null_percent',
  'distinct_count',
  'duplicate_count',
  'min_value',
  'max_value',
  'avg_value',
  'percentile',
] as const;

/** A documented metric type. */
export type MetricType = (typeof metricTypes)[number];

/** The documented statuses of a check of a rule. */
export const checkStatuses = ['pass', 'fail', 'error'] as const;

/** A documented status of a check of a rule. */
export type CheckStatus = (typeof checkStatuses)[number];

/** The documented statuses of a snapshot of a metric. */
export const snapshotStatuses = ['PASS', 'FAIL'] as const;

/** A documented status of a snapshot of a metric. */
export type SnapshotStatus = (typeof snapshotStatuses)[number];

/** The documented statuses of the freshness of an asset. */
export const freshnessStatuses = ['fresh', 'stale', 'unknown'] as const;

/** A documented status of the freshness of an asset. */
export type FreshnessStatus = (typeof freshnessStatuses)[number];

/** The documented statuses of an asset's freshness against its threshold. */
export const slaStatuses = ['within_sla', 'warning', 'violated'] as const;

/** A documented status of an asset's freshness against its threshold. */
export type SlaStatus = (typeof slaStatuses)[number];

/** The statuses by which the overview of freshness can be filtered. */
export const tableStatuses = ['ready', 'not_ready', 'unknown', 'error'] as const;

/** A documented status by which the overview of freshness can be filtered. */
export type TableStatus = (typeof tableStatuses)[number];

/** The documented event types of alerts. */
export const eventTypes = [
  'schema_change',
  'freshness_violation',
  'discovery_complete',
  'connection_failed',
] as const;

/** Event types of alerts that the local service sends beside the documented ones. */
export const localEventTypes = [
  'validity_failure',
  'validity_recovery',
  'metric_anomaly',
  'metric_recovery',
] as const;

/** A documented event type of an alert. */
export type EventType = (typeof eventTypes)[number];

/** An event type of an alert that only the local service sends. */
export type LocalEventType = (typeof localEventTypes)[number];

/** The tiers of the service, with what each allows a key. */
export const tiers = {
  free_trial: { perMinute: 20, perSecond: 2 },
  starter: { perMinute: 30, perSecond: 3 },
  growth: { perMinute: 500, perSecond: 25 },
  professional: { perMinute: 1000, perSecond: 50 },
  enterprise: { perMinute: 5000, perSecond: 100 },
} as const;

/** A subscription tier of the service. */
export type Tier = keyof typeof tiers;

/** The scopes of keys, the narrowest first. */
export const scopes = ['read-only', 'read-write', 'admin'] as const;

/** What a key may do. */
export type Scope = (typeof scopes)[number];

/** Page sizes, in items: of rules and metrics, of results and snapshots (no limit is documented), of tables. */
export const pageSizes = {
  definitions: { default: 50, largest: 100 },
  history: { default: 100 },
  tables: { default: 20, largest: 100 },
} as const;

/** What the service takes for a field that a request leaves out. */
export const defaults = {
  severity: 'warning',
  interval: 'daily',
  sensitivity: 1,
  treatNullAsValid: false,
  /** Invalid rows that a check collects. */
  sampleLimit: 10,
  /** Snapshots in the detail of a metric. */
  snapshotLimit: 30,
} as const;

/** Milliseconds before each attempt to deliver an alert: at once, then after 1, 5, 15 and 60 minutes. */
export const deliveryDelays = [0, 60_000, 300_000, 900_000, 3_600_000] as const;

/** Milliseconds that one attempt to deliver an alert may take. */
export const deliveryTimeout = 30_000;

/** The longest that a timer can wait, in ms: Node and browsers fire a longer one at once. */
export const longestTimer = 2 ** 31 - 1;
