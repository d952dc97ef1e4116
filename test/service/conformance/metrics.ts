import { describe, expect, test } from 'vitest';

import { aNumber, aTimestamp, at, idsOf, type Subject, uuidText } from './subject.ts';

function metricShape(subject: Subject, metric: { id: string; internalId: unknown }) {
  return {
    id: metric.id,
    internal_id: metric.internalId,
    asset_id: aNumber,
    table_path: subject.harness.tablePath,
    column_name: null,
    metric_type: 'row_count',
    capture_interval: 'daily',
    sensitivity: 1,
    is_active: true,
    created_at: aTimestamp,
  };
}

/** The metrics (interface: Metrics). */
export function describeMetrics(subject: () => Subject): void {
  describe('metrics', () => {
    test('create returns the metric with the defaults', async () => {
      const { body } = await subject().call('POST', subject().metrics(), {
        metric_type: 'percentile',
        table_path: subject().harness.tablePath,
        column_name: 'email',
        percentile_value: 95,
        group_by_columns: ['email'],
      });
      expect(body).toEqual({
        data: {
          ...metricShape(subject(), { id: '', internalId: aNumber }),
          id: expect.stringMatching(RegExp(`^m_${uuidText}$`)),
          column_name: 'email',
          metric_type: 'percentile',
        },
      });
    });

    test.each([
      'null_percent',
      'distinct_count',
      'duplicate_count',
      'min_value',
      'max_value',
      'avg_value',
      'percentile',
    ])('%s without a column is 400 and names field and metric type', async (metricType) => {
      const answer = await subject().call('POST', subject().metrics(), {
        metric_type: metricType,
        table_path: subject().harness.tablePath,
        ...(metricType === 'percentile' && { percentile_value: 50 }),
      });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        error: {
          code: 'VALIDATION_ERROR',
          message: expect.stringContaining('column_name'),
          details: { field: 'column_name', metric_type: metricType },
        },
      });
    });

    test('other bad fields are 400 and named', async () => {
      const table = { table_path: subject().harness.tablePath };
      for (const [body, field] of [
        [{ ...table, metric_type: 'percentile', column_name: 'email' }, 'percentile_value'],
        [{ ...table, metric_type: 'median' }, 'metric_type'],
        [{ metric_type: 'row_count' }, 'table_path'],
        [{ ...table, metric_type: 'row_count', sensitivity: 0 }, 'sensitivity'],
        [{ ...table, metric_type: 'row_count', group_by_columns: 'email' }, 'group_by_columns'],
      ] as const) {
        const answer = await subject().call('POST', subject().metrics(), body);
        expect({ ...answer, sent: body }).toMatchObject({
          sent: body,
          status: 400,
          body: { error: { code: 'VALIDATION_ERROR', details: { field } } },
        });
      }
    });

    test('filters and pages select', async () => {
      const first = await subject().createMetric();
      const second = await subject().createMetric({ metric_type: 'distinct_count', column_name: 'email' });
      await subject().call('PATCH', second.path, { is_active: false });
      const whole = await subject().call('GET', subject().metrics());
      expect(at(whole.body, 'pagination')).toEqual({ total: 2, limit: 50, offset: 0, has_more: false });
      expect(at(whole.body, 'data', 'items', 0)).toEqual(metricShape(subject(), first));
      for (const [query, ids] of [
        ['metric_type=row_count', [first.id]],
        ['is_active=false', [second.id]],
        ['limit=1&offset=1', [second.id]],
      ] as const) {
        const { body } = await subject().call('GET', `${subject().metrics()}?${query}`);
        expect(idsOf(at(body, 'data', 'items'))).toEqual(ids);
      }
    });

    test('a change is kept', async () => {
      const metric = await subject().createMetric();
      const patch = { is_active: false, capture_interval: 'weekly', sensitivity: 2.5 };
      expect(await subject().call('PATCH', metric.path, patch)).toMatchObject({ status: 200 });
      expect((await subject().call('GET', metric.path)).body).toMatchObject({ data: patch });
    });

    test('a deleted metric is gone', async () => {
      const metric = await subject().createMetric();
      expect((await subject().call('DELETE', metric.path)).body).toEqual({
        data: { success: true, message: expect.any(String) },
      });
      for (const [method, path] of [
        ['GET', metric.path],
        ['PATCH', metric.path],
        ['DELETE', metric.path],
        ['POST', `${metric.path}/capture`],
        ['GET', `${metric.path}/snapshots`],
      ] as const) {
        const answer = await subject().call(method, path, method === 'PATCH' ? {} : undefined);
        expect(answer.status).toBe(404);
        expect(answer.body).toEqual({
          error: {
            code: 'METRIC_NOT_FOUND',
            message: expect.any(String),
            details: { metric_id: metric.id },
          },
        });
      }
    });

    test('a capture returns its snapshot, and is listed with more', async () => {
      const metric = await subject().createMetric();
      const { status, body } = await subject().call('POST', `${metric.path}/capture`);
      expect(status).toBe(200);
      const snapshot = {
        id: aNumber,
        value: 10,
        captured_at: aTimestamp,
        is_anomaly: false,
        status: 'PASS',
      };
      expect(body).toEqual({ data: { snapshot_count: 1, snapshots: [snapshot] } });
      expect((await subject().call('GET', `${metric.path}/snapshots`)).body).toEqual({
        data: { items: [{ ...snapshot, metric_definition_id: metric.internalId, z_score: null }] },
        pagination: { total: 1, limit: 100, offset: 0, has_more: false },
      });
    });

    test('snapshots are newest first; the detail includes the latest, unless the query excludes them', async () => {
      const metric = await subject().createMetric();
      const ids: unknown[] = [];
      for (let run = 0; run < 3; run += 1) {
        ids.unshift(
          at((await subject().call('POST', `${metric.path}/capture`)).body, 'data', 'snapshots', 0, 'id'),
        );
      }
      const page = await subject().call('GET', `${metric.path}/snapshots?limit=2&offset=1`);
      expect(idsOf(at(page.body, 'data', 'items'))).toEqual(ids.slice(1));

      const detail = await subject().call('GET', metric.path);
      expect(idsOf(at(detail.body, 'data', 'snapshots'))).toEqual(ids);
      const short = await subject().call('GET', `${metric.path}?snapshot_limit=1`);
      expect(idsOf(at(short.body, 'data', 'snapshots'))).toEqual(ids.slice(0, 1));
      expect((await subject().call('GET', `${metric.path}?include_snapshots=false`)).body).toEqual({
        data: metricShape(subject(), metric),
      });
    });

    test('the summary counts metrics and snapshots', async () => {
      const empty = await subject().call('GET', `${subject().metrics()}/summary`);
      expect(empty.body).toEqual({
        data: {
          total_metrics: 0,
          active_metrics: 0,
          total_checks: 0,
          passing: 0,
          failing: 0,
          warning: 0,
          error: 0,
          health_percentage: 100,
        },
      });
      const metric = await subject().createMetric();
      const idle = await subject().createMetric();
      await subject().call('PATCH', idle.path, { is_active: false });
      await subject().call('POST', `${metric.path}/capture`);
      await subject().call('POST', `${metric.path}/capture`);
      expect((await subject().call('GET', `${subject().metrics()}/summary`)).body).toMatchObject({
        data: { total_metrics: 2, active_metrics: 1, total_checks: 2, passing: 2, health_percentage: 100 },
      });
    });
  });
}
