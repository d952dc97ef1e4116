import pMap from 'p-map';

import { severities } from '../contract/vocabulary.ts';
import {
  type DataQualityClient,
  type InvalidSample,
  isApiError,
  type Metric,
  type MetricSnapshot,
  type ValidityRule,
} from '../index.ts';
import { groupOf } from '../cli/snapshot-table.ts';
import { readLineage } from './lineage.ts';
import type {
  MetricSeries,
  Report,
  ReportedFreshness,
  ReportedMetric,
  ReportedRule,
  Standing,
} from './report.ts';
import { count, freshnessStanding, metricStanding, outcomeOf, ruleStanding } from './standing.ts';

/** What a report is made of. */
export interface CollectOptions {
  /** Most results a rule; default 30. */
  readonly results?: number | undefined;
  /** Most snapshots a metric; default 365. */
  readonly snapshots?: number | undefined;
  /** Rows that broke a rule in a check just made, by the uuid of the rule. */
  readonly samples?: ReadonlyMap<string, readonly InvalidSample[]> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told of each rule and metric that was read. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const concurrency = 8;

/**
 * Reads everything a report shows from the service, and changes nothing there: a key with the scope `read-only` is
 * enough. A rule or metric whose history can't be read is reported as such; the rest is not lost over it.
 */
export async function collectReport(
  client: DataQualityClient,
  assetId: string,
  { results = 30, snapshots = 365, samples = new Map(), signal, onProgress }: CollectOptions = {},
): Promise<Report> {
  const options = { signal };
  const [rules, metrics, freshness, lineage] = await Promise.all([
    client.validity.list(assetId, { limit: 100 }, options).toArray(),
    client.metrics.list(assetId, { limit: 100 }, options).toArray(),
    readFreshness(client, assetId, signal),
    readLineage(client, assetId, signal),
  ]);
  let done = 0;
  const step = (): void => onProgress?.(++done, rules.length + metrics.length);

  const readRule = async (rule: ValidityRule): Promise<ReportedRule> => {
    const reported = await readOr(
      async () =>
        client.validity.results(assetId, rule.uuid, { limit: results }, options).toArray({ max: results }),
      signal,
    );
    step();
    const found = samples.get(rule.uuid) ?? [];
    if ('reason' in reported)
      return { rule, standing: inconclusive(rule), results: [], samples: found, ...reported };
    return { rule, standing: ruleStanding(rule, reported.value[0]), results: reported.value, samples: found };
  };
  const readMetric = async (metric: Metric): Promise<ReportedMetric> => {
    const reported = await readOr(
      async () =>
        client.metrics
          .snapshots(assetId, metric.id, { limit: snapshots }, options)
          .toArray({ max: snapshots }),
      signal,
    );
    step();
    if ('reason' in reported) return { metric, standing: inconclusive(metric), series: [], ...reported };
    const series = toSeries(reported.value);
    const latest = series.map((group) => group.snapshots.at(-1));
    return { metric, standing: metricStanding(metric.is_active, latest), series };
  };

  const reportedRules = await pMap(rules, readRule, { concurrency, ...(signal && { signal }) });
  const reportedMetrics = await pMap(metrics, readMetric, { concurrency, ...(signal && { signal }) });
  const parts = [...reportedRules, ...reportedMetrics, ...(freshness === undefined ? [] : [freshness])];
  const counts = count(parts.map(({ standing }) => standing));
  const assetName = freshness?.reading?.asset ?? undefined;
  return {
    assetId,
    ...(assetName !== undefined && { assetName }),
    generatedAt: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    outcome: outcomeOf(counts),
    counts,
    rules: reportedRules.toSorted(byGravity),
    metrics: reportedMetrics,
    ...(freshness !== undefined && { freshness }),
    ...(lineage !== undefined && { lineage }),
  };
}

type Reading<Value> = { readonly value: Value } | { readonly reason: string };

async function readOr<Value>(
  read: () => Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Reading<Value>> {
  try {
    return { value: await read() };
  } catch (error) {
    // What concerns every read ends the report: each would fail alike.
    if (signal?.aborted === true || (isApiError(error) && [401, 403, 429].includes(error.status)))
      throw error;
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

function inconclusive({ is_active }: Pick<ValidityRule, 'is_active'>): Standing {
  return is_active === false ? 'skipped' : 'inconclusive';
}

async function readFreshness(
  client: DataQualityClient,
  assetId: string,
  signal: AbortSignal | undefined,
): Promise<ReportedFreshness | undefined> {
  const reported = await readOr(async () => {
    try {
      return await client.freshness.get(assetId, { signal });
    } catch (error) {
      if (isApiError(error, 'FRESHNESS_NOT_CONFIGURED')) return undefined;
      throw error;
    }
  }, signal);
  if ('reason' in reported) return { standing: 'inconclusive', ...reported };
  const { value: reading } = reported;
  return reading === undefined ? undefined : { standing: freshnessStanding(reading), reading };
}

/** Snapshots come newest first and, where the metric has groups, of all groups together. */
function toSeries(snapshots: readonly MetricSnapshot[]): readonly MetricSeries[] {
  const groups = Map.groupBy(snapshots.toReversed(), (snapshot) => groupOf(snapshot));
  return [...groups].map(([group, members]) => ({ group, snapshots: members }));
}

const gravestFirst: readonly string[] = severities.toReversed();
const standings: readonly Standing[] = ['failed', 'inconclusive', 'tolerated', 'passed', 'skipped'];

function byGravity(a: ReportedRule, b: ReportedRule): number {
  return (
    rank(gravestFirst, a.rule.severity) - rank(gravestFirst, b.rule.severity) ||
    rank(standings, a.standing) - rank(standings, b.standing)
  );
}

function rank(order: readonly string[], value: string | null | undefined): number {
  const at = order.indexOf(value?.toLowerCase() ?? '');
  return at === -1 ? order.length : at;
}
