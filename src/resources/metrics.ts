import type { Deletion } from '../contract/field.ts';
import type { CreateMetric } from '../contract/create-metric.ts';
import type {
  Metric,
  MetricCapture,
  MetricDetail,
  MetricSnapshot,
  MetricsSummary,
} from '../contract/metrics-responses.ts';
import {
  type MetricGetQuery,
  metricsEndpoints,
  type MetricsListQuery,
  type MetricSnapshotsQuery,
  type UpdateMetric,
} from '../contract/metrics.ts';
import type { ApiPromise } from '../http/api-promise.ts';
import type { Call } from '../http/call.ts';
import { type ListOptions, type PagePromise, requestPages } from '../http/paging/pages.ts';
import type { RequestOptions } from '../http/settings.ts';
import { type BulkOptions, type Settled, settleMany } from './settle-many.ts';

/** How many captures run at once. */
export interface CaptureManyOptions extends BulkOptions {}

/** How the capture of one metric ended. */
export type SettledCapture<Item> = {
  /** The metric that was captured. */
  readonly metric: Item;
} & Settled<MetricCapture>;

/** Metrics: define them on tables or columns, capture them, read their snapshots. */
export class MetricsResource {
  readonly #call: Call;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
  }

  /** Counts the metrics of an asset and the outcomes of their captures. */
  summary(assetId: string, options?: RequestOptions): ApiPromise<MetricsSummary> {
    return this.#call(metricsEndpoints.summary, { params: { asset_id: assetId } }, options);
  }

  /** Lists the metrics of an asset; `limit` is the page size, 1 to 100, default 50. */
  list(assetId: string, query?: MetricsListQuery, options?: ListOptions): PagePromise<Metric> {
    return requestPages(this.#call, metricsEndpoints.list, { params: { asset_id: assetId }, query }, options);
  }

  /**
   * Returns one metric with its latest snapshots (`snapshot_limit`, default 30; none with
   * `include_snapshots: false`).
   *
   * @throws {MetricNotFoundError} if the asset has no such metric.
   */
  get(
    assetId: string,
    metricId: string,
    query?: MetricGetQuery,
    options?: RequestOptions,
  ): ApiPromise<MetricDetail> {
    const params = { asset_id: assetId, metric_id: metricId };
    return this.#call(metricsEndpoints.get, { params, query }, options);
  }

  /**
   * Creates a metric: all types but `row_count` need `column_name`, `percentile` needs `percentile_value` (0 to
   * 100). Needs the scope `read-write`. Never sent twice unless the first attempt surely did not arrive.
   *
   * @throws {ValidationError} if the service refuses the configuration.
   *
   * @example
   * await client.metrics.create(assetId, {
   *   metric_type: 'percentile', table_path: 'shop.sales.orders', column_name: 'amount', percentile_value: 95,
   * });
   */
  create(assetId: string, body: CreateMetric, options?: RequestOptions): ApiPromise<Metric> {
    return this.#call(metricsEndpoints.create, { params: { asset_id: assetId }, body }, options);
  }

  /**
   * Changes a metric and returns what the response contains, `{}` if it contains nothing: the interface does not
   * show it. Needs the scope `read-write`.
   *
   * @throws {MetricNotFoundError} if the asset has no such metric.
   */
  update(
    assetId: string,
    metricId: string,
    patch: UpdateMetric,
    options?: RequestOptions,
  ): ApiPromise<Partial<Metric>> {
    const params = { asset_id: assetId, metric_id: metricId };
    return this.#call(metricsEndpoints.update, { params, body: patch }, options);
  }

  /**
   * Deletes a metric. Needs the scope `read-write`.
   *
   * @throws {MetricNotFoundError} if the asset has no such metric.
   */
  delete(assetId: string, metricId: string, options?: RequestOptions): ApiPromise<Deletion> {
    return this.#call(
      metricsEndpoints.delete,
      { params: { asset_id: assetId, metric_id: metricId } },
      options,
    );
  }

  /**
   * Captures the value of a metric now: one snapshot, or one per group. Needs the scope `read-write`. An attempt
   * may take 300,000 ms by default.
   *
   * @throws {MetricNotFoundError} if the asset has no such metric.
   */
  capture(assetId: string, metricId: string, options?: RequestOptions): ApiPromise<MetricCapture> {
    const params = { asset_id: assetId, metric_id: metricId };
    return this.#call(metricsEndpoints.capture, { params }, options);
  }

  /**
   * Lists the snapshots of a metric, newest first; `limit` is the page size, default 100.
   *
   * @throws {MetricNotFoundError} if the asset has no such metric.
   */
  snapshots(
    assetId: string,
    metricId: string,
    query?: MetricSnapshotsQuery,
    options?: ListOptions,
  ): PagePromise<MetricSnapshot> {
    const params = { asset_id: assetId, metric_id: metricId };
    return requestPages(this.#call, metricsEndpoints.snapshots, { params, query }, options);
  }

  /**
   * Captures many metrics, several at once (`concurrency`, default 8), and yields each outcome as its capture
   * ends; one that fails does not touch the others. Metrics are taken up only as fast as outcomes are consumed,
   * and leaving the loop cancels the captures under way.
   *
   * @throws {AbortError} only when the signal aborts.
   */
  async *captureMany<Item extends string | Pick<Metric, 'id'>>(
    assetId: string,
    metrics: Iterable<Item> | AsyncIterable<Item>,
    { concurrency }: CaptureManyOptions = {},
    options: RequestOptions = {},
  ): AsyncGenerator<SettledCapture<Item>, void> {
    const capture = (metric: Item, signal: AbortSignal): Promise<MetricCapture> =>
      this.capture(assetId, typeof metric === 'string' ? metric : metric.id, { ...options, signal });
    const bulk = { concurrency, signal: options.signal };
    const outcomes = settleMany(metricsEndpoints.capture, metrics, capture, bulk);
    for await (const { item: metric, ...outcome } of outcomes) yield { metric, ...outcome };
  }
}
