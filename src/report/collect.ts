import pMap from 'p-map';

import {
  type DataQualityClient,
  type InvalidSample,
  isApiError,
  type Metric,
  type MetricSnapshot,
  type ValidityRule,
} from '../index.ts';
import { judgeCapture } from '../judgement/capture.ts';
import { judgeCheck } from '../judgement/check.ts';
import { judgeFreshness } from '../judgement/freshness.ts';
import { type CheckOutcome, countOutcomes, type OutcomeCounts } from '../judgement/outcome.ts';
import { severityRank } from '../judgement/severity.ts';
import { groupOf } from '../cli/snapshot-table.ts';
import { readLineage } from './lineage.ts';
import type { MetricSeries, Report, ReportedFreshness, ReportedMetric, ReportedRule } from './report.ts';

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
      return { rule, ...unlessInactive(rule, { ...neverDone, ...reported }), results: [], samples: found };
    const [latest] = reported.value;
    const judged = latest === undefined ? neverDone : judgeCheck(latest, { rule });
    return { rule, ...unlessInactive(rule, judged), results: reported.value, samples: found };
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
    if ('reason' in reported)
      return { metric, ...unlessInactive(metric, { ...neverDone, ...reported }), series: [] };
    const series = toSeries(reported.value);
    const latest = series.flatMap((group) => group.snapshots.at(-1) ?? []);
    const judged = latest.length === 0 ? neverDone : judgeCapture({ snapshots: latest }, { metric });
    return { metric, ...unlessInactive(metric, judged), series };
  };

  const reportedRules = await pMap(rules, readRule, { concurrency, ...(signal && { signal }) });
  const reportedMetrics = await pMap(metrics, readMetric, { concurrency, ...(signal && { signal }) });
  const parts = [...reportedRules, ...reportedMetrics, ...(freshness === undefined ? [] : [freshness])];
  const counts = countOutcomes(parts.map(({ outcome }) => outcome));
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

/** What has no result yet speaks for itself: no reason is given. */
const neverDone: { readonly outcome: CheckOutcome } = { outcome: 'inconclusive' };

function unlessInactive<Judged extends { readonly outcome: CheckOutcome }>(
  { is_active }: Pick<ValidityRule, 'is_active'>,
  judged: Judged,
): Judged | { readonly outcome: 'skipped' } {
  return is_active === false ? { outcome: 'skipped' } : judged;
}

/** The verdict over everything: one failure fails it, and nothing unclear passes. */
function outcomeOf({ failed, inconclusive, passed, tolerated }: OutcomeCounts): Report['outcome'] {
  if (failed > 0) return 'failed';
  return inconclusive > 0 || passed + tolerated === 0 ? 'inconclusive' : 'passed';
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
  if ('reason' in reported) return { outcome: 'inconclusive', ...reported };
  const { value: reading } = reported;
  return reading === undefined ? undefined : { ...judgeFreshness(reading), reading };
}

/** Snapshots come newest first and, if the metric has groups, those of all groups together. */
function toSeries(snapshots: readonly MetricSnapshot[]): readonly MetricSeries[] {
  const groups = Map.groupBy(snapshots.toReversed(), (snapshot) => groupOf(snapshot));
  return [...groups].map(([group, members]) => ({ group, snapshots: members }));
}

const outcomes: readonly CheckOutcome[] = ['failed', 'inconclusive', 'tolerated', 'passed', 'skipped'];

function byGravity(a: ReportedRule, b: ReportedRule): number {
  return (
    severityRank(b.rule.severity) - severityRank(a.rule.severity) ||
    outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome)
  );
}
