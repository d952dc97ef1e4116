import type { LimitFunction } from 'p-limit';

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
import type { CheckOutcome } from '../judgement/outcome.ts';
import { severityRank } from '../judgement/severity.ts';
import { readLineage } from './lineage.ts';
import { groupOf } from './metric-group.ts';
import { readSla } from './sla.ts';
import type { AssetReport, MetricSeries, ReportedFreshness, ReportedMetric, ReportedRule } from './report.ts';

/** What was read before and need not be read again, by the ids of rules and metrics. */
export interface Unchanged {
  readonly rules: ReadonlyMap<string, ReportedRule>;
  readonly metrics: ReadonlyMap<string, ReportedMetric>;
}

/** What is collected of one asset. */
export interface CollectAssetOptions {
  /**
   * Most results per rule.
   *
   * @default 30
   */
  readonly results?: number | undefined;
  /**
   * Most snapshots per metric.
   *
   * @default 365
   */
  readonly snapshots?: number | undefined;
  /** Rows that broke a rule in a check just made, by the uuid of the rule. */
  readonly samples?: ReadonlyMap<string, readonly InvalidSample[]> | undefined;
  /**
   * Whether rules and metrics of tables without rows may pass.
   *
   * @default false
   */
  readonly allowEmpty?: boolean | undefined;
  /**
   * What has not changed since it was read.
   *
   * @default nothing: everything is read
   */
  readonly unchanged?: Unchanged | undefined;
  /** Cancels the requests. */
  readonly signal?: AbortSignal | undefined;
  /** Shared by all assets, so that the number of requests at once does not grow with them. */
  readonly limit: LimitFunction;
  /** Called with how many more rules and metrics are done, and how many more are known. */
  readonly onProgress: (done: number, known: number) => void;
}

/** Pages of a list that are fetched at once. */
const concurrency = 4;

interface Source extends CollectAssetOptions {
  readonly client: DataQualityClient;
  readonly assetId: string;
}

/** Reads everything a report shows of one asset. */
export async function collectAsset(
  client: DataQualityClient,
  assetId: string,
  options: CollectAssetOptions,
): Promise<AssetReport> {
  const source = { ...options, client, assetId };
  const lists = { signal: options.signal, concurrency };
  const list = client.validity.list(assetId, { limit: 100 }, lists);
  const [rules, metrics, freshness, local] = await Promise.all([
    list.toArray().then(async (found) => readAll(source, found, readRule)),
    client.metrics
      .list(assetId, { limit: 100 }, lists)
      .toArray()
      .then(async (found) => readAll(source, found, readMetric)),
    readFreshness(source),
    // The hosted service is not asked for what its interface does not have.
    list
      .withResponse()
      .then(async ({ meta: { headers } }) =>
        Promise.all([
          readLineage(client, assetId, headers, options.signal),
          readSla(client, assetId, headers, options.signal),
        ]),
      ),
  ]);
  const [lineage, sla] = local;
  const assetName = freshness?.reading?.asset;
  return {
    assetId,
    ...(typeof assetName === 'string' && assetName !== '' && { assetName }),
    rules: rules.toSorted(byGravity),
    metrics,
    ...(freshness !== undefined && { freshness }),
    ...(sla !== undefined && { sla }),
    ...(lineage !== undefined && { lineage }),
  };
}

async function readAll<Definition, Read>(
  source: Source,
  definitions: readonly Definition[],
  read: (source: Source, definition: Definition) => Promise<Read>,
): Promise<readonly Read[]> {
  source.onProgress(0, definitions.length);
  return Promise.all(
    definitions.map(async (definition) =>
      source.limit(async () => {
        const found = await read(source, definition);
        source.onProgress(1, 0);
        return found;
      }),
    ),
  );
}

async function readRule(source: Source, rule: ValidityRule): Promise<ReportedRule> {
  const unchanged = source.unchanged?.rules.get(rule.uuid);
  if (unchanged !== undefined) return unchanged;
  const { client, assetId, results: most = 30, samples, allowEmpty, signal } = source;
  const [detail, results] = await Promise.all([
    readOr(async () => client.validity.get(assetId, rule.uuid, { signal }), signal),
    readOr(
      async () =>
        client.validity
          .results(assetId, rule.uuid, { limit: most }, { signal, concurrency })
          .toArray({ max: most }),
      signal,
    ),
  ]);
  const whole = 'reason' in detail ? rule : { ...rule, ...detail.value };
  const found = samples?.get(rule.uuid) ?? [];
  if ('reason' in results)
    return {
      rule: whole,
      ...unlessInactive(rule, { ...neverDone, ...results }),
      results: [],
      samples: found,
    };
  const [latest] = results.value;
  const judged = latest === undefined ? neverDone : judgeCheck(latest, { rule: whole, allowEmpty });
  return {
    rule: whole,
    ...unlessInactive(rule, judged),
    results: results.value,
    samples: found,
    ...(allowEmpty === true && { allowEmpty }),
  };
}

async function readMetric(source: Source, metric: Metric): Promise<ReportedMetric> {
  const unchanged = source.unchanged?.metrics.get(metric.id);
  if (unchanged !== undefined) return unchanged;
  const { client, assetId, snapshots: most = 365, allowEmpty, signal } = source;
  const reported = await readOr(
    async () =>
      client.metrics
        .snapshots(assetId, metric.id, { limit: most }, { signal, concurrency })
        .toArray({ max: most }),
    signal,
  );
  if ('reason' in reported)
    return { metric, ...unlessInactive(metric, { ...neverDone, ...reported }), series: [] };
  const series = toSeries(reported.value);
  const latest = series.flatMap((group) => group.snapshots.at(-1) ?? []);
  const judged =
    latest.length === 0 ? neverDone : judgeCapture({ snapshots: latest }, { metric, allowEmpty });
  return { metric, ...unlessInactive(metric, judged), series };
}

async function readFreshness({ client, assetId, signal }: Source): Promise<ReportedFreshness | undefined> {
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

/** A rule without a result needs no reason. */
const neverDone: { readonly outcome: CheckOutcome } = { outcome: 'inconclusive' };

function unlessInactive<Judged extends { readonly outcome: CheckOutcome }>(
  { is_active }: Pick<ValidityRule, 'is_active'>,
  judged: Judged,
): Judged | { readonly outcome: 'skipped' } {
  return is_active === false ? { outcome: 'skipped' } : judged;
}

/** Snapshots come newest first and, if the metric has groups, of all groups together. */
function toSeries(snapshots: readonly MetricSnapshot[]): readonly MetricSeries[] {
  const groups = Map.groupBy(snapshots.toReversed(), (snapshot) => groupOf(snapshot));
  return [...groups].map(([group, members]) => ({ group, snapshots: members }));
}

const outcomes: readonly CheckOutcome[] = ['failed', 'inconclusive', 'tolerated', 'passed', 'skipped'];

function byGravity(a: ReportedRule, b: ReportedRule): number {
  return (
    outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome) ||
    severityRank(b.rule.severity) - severityRank(a.rule.severity)
  );
}
