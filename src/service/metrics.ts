import {
  type CapturedSnapshot,
  type CreateMetric,
  type Metric,
  type MetricSnapshot,
  metricsEndpoints,
} from '../contract/index.ts';
import { defaults } from '../contract/vocabulary.ts';
import { runCapture } from './capture.ts';
import type { Context } from './context.ts';
import { invalidField, metricNotFound, missingMetricColumn, type Problem } from './problem.ts';
import { listRoute, objectRoute, type RoutesOf } from './route.ts';
import type { Asset, MetricRecord, SnapshotRecord } from './store.ts';
import { timestamp } from './timestamp.ts';

const largestSnapshotPage = 1000;

/** The endpoints of the metrics. */
export function metricsRoutes(context: Context): RoutesOf<typeof metricsEndpoints> {
  const { assets, store, now } = context;

  const find = async (params: { asset_id: string; metric_id: string }) => {
    const asset = assets.byId(params.asset_id);
    const metric = await store.metrics.get(asset.id, params.metric_id);
    if (metric === undefined) throw metricNotFound(params.metric_id);
    return { asset, metric };
  };

  return {
    summary: objectRoute(metricsEndpoints.summary, async ({ params }) => {
      const asset = assets.byId(params.asset_id);
      const first = { limit: 1, offset: 0 };
      const { total } = await store.metrics.list(asset.id, {}, first);
      const { total: active } = await store.metrics.list(asset.id, { is_active: true }, first);
      const counts = await store.snapshots.count(asset.id);
      const checks = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const passing = counts.get('PASS') ?? 0;
      return {
        total_metrics: total,
        active_metrics: active,
        total_checks: checks,
        passing,
        failing: counts.get('FAIL') ?? 0,
        warning: counts.get('WARNING') ?? 0,
        error: counts.get('ERROR') ?? 0,
        health_percentage: checks === 0 ? 100 : (100 * passing) / checks,
      };
    }),

    list: listRoute(metricsEndpoints.list, async ({ params, query }, slice) => {
      const asset = assets.byId(params.asset_id);
      const { metric_type, is_active } = query;
      const { items, total } = await store.metrics.list(asset.id, { metric_type, is_active }, slice);
      return { items: items.map((metric) => metricShape(asset, metric)), total };
    }),

    get: objectRoute(metricsEndpoints.get, async ({ params, query }) => {
      const { asset, metric } = await find(params);
      const shape = metricShape(asset, metric);
      if (query.include_snapshots === false) return shape;
      const limit = Math.min(query.snapshot_limit ?? defaults.snapshotLimit, largestSnapshotPage);
      const { items } = await store.snapshots.list(metric.internal_id, { limit, offset: 0 });
      return { ...shape, snapshots: items.map(listedSnapshot) };
    }),

    create: objectRoute(
      metricsEndpoints.create,
      async ({ params, body }) => {
        const asset = assets.byId(params.asset_id);
        return metricShape(asset, await store.metrics.insert(newMetric(asset, body, timestamp(now()))));
      },
      refuseMetric,
    ),

    update: objectRoute(metricsEndpoints.update, async ({ params, body }) => {
      const { asset, metric } = await find(params);
      const updated = await store.metrics.update(asset.id, metric.id, body);
      if (updated === undefined) throw metricNotFound(metric.id);
      return metricShape(asset, updated);
    }),

    delete: objectRoute(metricsEndpoints.delete, async ({ params }) => {
      const { asset, metric } = await find(params);
      if (!(await store.metrics.delete(asset.id, metric.id))) throw metricNotFound(metric.id);
      return { success: true, message: `Metric ${metric.id} was deleted` };
    }),

    capture: objectRoute(metricsEndpoints.capture, async ({ params, signal }) => {
      const snapshots = await runCapture(context, (await find(params)).metric, signal);
      return { snapshot_count: snapshots.length, snapshots: snapshots.map(capturedSnapshot) };
    }),

    snapshots: listRoute(metricsEndpoints.snapshots, async ({ params }, slice) => {
      const { metric } = await find(params);
      const { items, total } = await store.snapshots.list(metric.internal_id, slice);
      return { items: items.map(listedSnapshot), total };
    }),
  };
}

/** A column that the metric's type needs is reported as the interface documents it. */
function refuseMetric(field: string, error: string, body: unknown): Problem {
  const { column_name, metric_type } = body as Partial<CreateMetric>;
  return field === 'column_name' && column_name === undefined
    ? missingMetricColumn(String(metric_type))
    : invalidField(field, error);
}

/** A metric with the defaults of the document. */
function newMetric(asset: Asset, body: CreateMetric, createdAt: string): Omit<MetricRecord, 'internal_id'> {
  return {
    id: `m_${crypto.randomUUID()}`,
    asset_id: asset.id,
    table_path: body.table_path,
    column_name: body.column_name ?? null,
    metric_type: body.metric_type,
    capture_interval: body.capture_interval ?? 'daily',
    sensitivity: body.sensitivity ?? 1,
    is_active: true,
    group_by_columns: body.group_by_columns ?? [],
    percentile_value: body.metric_type === 'percentile' ? body.percentile_value : null,
    created_at: createdAt,
  };
}

function metricShape(asset: Asset, metric: MetricRecord): Metric {
  return {
    id: metric.id,
    internal_id: metric.internal_id,
    asset_id: asset.numericId,
    table_path: metric.table_path,
    column_name: metric.column_name,
    metric_type: metric.metric_type,
    capture_interval: metric.capture_interval,
    sensitivity: metric.sensitivity,
    is_active: metric.is_active,
    created_at: metric.created_at,
  };
}

/** A snapshot as the capture returns it, with its group and its failure if it has them. */
function capturedSnapshot(snapshot: SnapshotRecord): CapturedSnapshot {
  return {
    id: snapshot.id,
    value: snapshot.value,
    captured_at: snapshot.captured_at,
    is_anomaly: snapshot.is_anomaly,
    status: snapshot.status,
    ...(snapshot.expected_value === null
      ? {}
      : {
          expected_value: snapshot.expected_value,
          expected_lower: snapshot.expected_lower,
          expected_upper: snapshot.expected_upper,
        }),
    ...(snapshot.accepted ? { accepted: true } : {}),
    ...(snapshot.group_values === null ? {} : { group_values: snapshot.group_values }),
    ...(snapshot.error_message === null ? {} : { error_message: snapshot.error_message }),
  };
}

/** Writes a snapshot as lists of snapshots return it. */
export function listedSnapshot(snapshot: SnapshotRecord): MetricSnapshot {
  return {
    ...capturedSnapshot(snapshot),
    metric_definition_id: snapshot.metric_definition_id,
    z_score: snapshot.z_score,
  };
}
