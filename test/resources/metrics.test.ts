import { describe, expect, test } from 'vitest';

import type { CreateMetric } from '../../src/index.ts';
import { assetId, createClient, metricId, useService } from './service.ts';

const service = useService();
const client = createClient();

// The interface document, typed by hand.
const metric = {
  id: metricId,
  internal_id: 42,
  asset_id: 7,
  table_path: 'warehouse.sales.orders',
  column_name: 'total',
  metric_type: 'avg_value',
  capture_interval: 'daily',
  sensitivity: 1,
  is_active: true,
  created_at: '2026-03-01T08:00:00Z',
};

test('summary', async () => {
  const summary = {
    total_metrics: 8,
    active_metrics: 7,
    total_checks: 90,
    passing: 80,
    failing: 5,
    warning: 3,
    error: 2,
    health_percentage: 88.9,
  };
  service.answer({ data: summary });

  expect(await client.metrics.summary(assetId)).toEqual(summary);
  service.expectRequest({ method: 'GET', path: `/api/v1/sdk/metrics/${assetId}/summary` });
});

test('list', async () => {
  const pagination = { total: 61, limit: 1, offset: 60, has_more: false };
  service.answer({ data: { items: [metric] }, pagination });

  const page = await client.metrics.list(assetId, {
    metric_type: 'avg_value',
    is_active: false,
    limit: 1,
    offset: 60,
  });
  expect(page.items).toEqual([metric]);
  expect(page.pagination).toEqual(pagination);
  service.expectRequest({
    method: 'GET',
    path: `/api/v1/sdk/metrics/${assetId}`,
    query: 'metric_type=avg_value&is_active=false&limit=1&offset=60',
  });
});

describe('get', () => {
  test('sends its query', async () => {
    service.answer({ data: metric });

    const query = { include_snapshots: false, snapshot_limit: 3 };
    expect(await client.metrics.get(assetId, metricId, query)).toEqual(metric);
    service.expectRequest({
      method: 'GET',
      path: `/api/v1/sdk/metrics/${assetId}/${metricId}`,
      query: 'include_snapshots=false&snapshot_limit=3',
    });
  });

  test('keeps embedded snapshots, whose shape the interface does not show', async () => {
    const detail = { ...metric, snapshots: [{ value: 3, odd: true }], column_name: null };
    service.answer({ data: detail });
    expect(await client.metrics.get(assetId, metricId)).toEqual(detail);
  });
});

describe('create', () => {
  const table = { table_path: 'warehouse.sales.orders' } as const;
  const bodies: CreateMetric[] = [
    { metric_type: 'row_count', ...table },
    { metric_type: 'null_percent', ...table, column_name: 'email' },
    { metric_type: 'distinct_count', ...table, column_name: 'email', group_by_columns: ['country'] },
    { metric_type: 'duplicate_count', ...table, column_name: 'email', capture_interval: 'weekly' },
    { metric_type: 'min_value', ...table, column_name: 'total' },
    { metric_type: 'max_value', ...table, column_name: 'total', sensitivity: 2.5 },
    { metric_type: 'avg_value', ...table, column_name: 'total' },
    { metric_type: 'percentile', ...table, column_name: 'total', percentile_value: 99.9 },
  ];

  test.each(bodies)('sends what it was given: $metric_type', async (body) => {
    service.answer({ data: metric }, 201);

    expect(await client.metrics.create(assetId, body)).toEqual(metric);
    service.expectRequest({ method: 'POST', path: `/api/v1/sdk/metrics/${assetId}`, body });
  });

  test.each([
    [{ metric_type: 'avg_value', ...table }, 'column_name'],
    [{ metric_type: 'percentile', ...table, column_name: 'c' }, 'percentile_value'],
    [{ metric_type: 'percentile', ...table, column_name: 'c', percentile_value: 101 }, 'percentile_value'],
    [{ metric_type: 'row_count' }, 'table_path'],
    [{ metric_type: 'row_count', ...table, sensitivity: 0 }, 'sensitivity'],
    [{ metric_type: 'median', ...table }, 'metric_type'],
  ])('refuses %j and names what is wrong', async (body, named) => {
    const error: unknown = await client.metrics
      .create(assetId, body as CreateMetric)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'InvalidRequestError', message: expect.stringContaining(named) });
    expect(service.requests).toHaveLength(0);
  });
});

test.each([
  [{ data: { id: metricId, sensitivity: 2 } }, { id: metricId, sensitivity: 2 }],
  [
    { id: metricId, sensitivity: 2 },
    { id: metricId, sensitivity: 2 },
  ],
  [undefined, {}],
])('update reads the body the interface does not show: %j', async (body, value) => {
  service.answer(body);

  const patch = { is_active: true, capture_interval: 'hourly', sensitivity: 2 } as const;
  expect(await client.metrics.update(assetId, metricId, patch)).toEqual(value);
  service.expectRequest({
    method: 'PATCH',
    path: `/api/v1/sdk/metrics/${assetId}/${metricId}`,
    body: patch,
  });
});

test.each([
  [{ data: { success: true, message: 'Metric deleted' } }, { success: true, message: 'Metric deleted' }],
  [
    { success: true, message: null },
    { success: true, message: null },
  ],
  [undefined, { success: true }],
])('delete: %j', async (body, value) => {
  service.answer(body);

  expect(await client.metrics.delete(assetId, metricId)).toEqual(value);
  service.expectRequest({ method: 'DELETE', path: `/api/v1/sdk/metrics/${assetId}/${metricId}` });
});

test('capture', async () => {
  const capture = {
    snapshot_count: 1,
    snapshots: [
      { id: 900, value: 12.5, captured_at: '2026-03-01T08:05:00Z', is_anomaly: true, status: 'FAIL' },
    ],
  };
  service.answer({ data: capture });

  expect(await client.metrics.capture(assetId, metricId)).toEqual(capture);
  service.expectRequest({ method: 'POST', path: `/api/v1/sdk/metrics/${assetId}/${metricId}/capture` });
});

test('snapshots', async () => {
  const snapshot = {
    id: 900,
    metric_definition_id: 42,
    value: 12.5,
    captured_at: '2026-03-01T08:05:00Z',
    is_anomaly: false,
    z_score: 0.3,
    status: 'PASS',
  };
  const odd = { id: 901, value: null, z_score: null, status: 'WARNING', unit: 'EUR' };
  service.answer({
    data: { items: [snapshot, odd] },
    pagination: { total: 2, limit: 100, offset: 0, has_more: false },
  });

  expect((await client.metrics.snapshots(assetId, metricId, { limit: 500 })).items).toEqual([snapshot, odd]);
  service.expectRequest({
    method: 'GET',
    path: `/api/v1/sdk/metrics/${assetId}/${metricId}/snapshots`,
    query: 'limit=500',
  });
});
