import { describe, expect, test } from 'vitest';

import { createMemoryStore } from '../../src/testing/memory-store.ts';
import { aMetric, aRule, assetId, metrics, rules, serve } from './parts.ts';

interface Created {
  readonly data: { readonly uuid: string; readonly id: string };
}

describe('a rule', () => {
  const given = {
    ...aRule,
    rule_type: 'RANGE',
    rule_config: { min: 0, max: 9 },
    name: 'amounts',
    description: 'why',
    severity: 'critical',
    alert_threshold_percent: 2.5,
    treat_null_as_valid: true,
    check_interval: 'hourly',
  };

  test('keeps everything that was given', async () => {
    const { call, store } = serve({ now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678) });
    const { data } = (await call('POST', rules, { ...given, error_message: 'too much' })).body as Created;
    expect((await call('GET', `${rules}/${data.uuid}`)).body).toEqual({
      data: { ...given, id: 1, uuid: data.uuid, is_active: true },
    });
    expect(await store.rules.get(assetId, data.uuid)).toMatchObject({
      error_message: 'too much',
      created_at: '2026-01-02T03:04:05Z',
    });
  });

  test('has the defaults of the interface for the rest', async () => {
    const { call } = serve({});
    const { data } = (await call('POST', rules, aRule)).body as Created;
    expect((await call('GET', `${rules}/${data.uuid}`)).body).toEqual({
      data: {
        ...aRule,
        id: 1,
        uuid: data.uuid,
        rule_config: null,
        name: null,
        description: null,
        severity: 'warning',
        is_active: true,
        alert_threshold_percent: null,
        treat_null_as_valid: false,
        check_interval: 'daily',
      },
    });
  });

  test('without a column has none', async () => {
    const { call } = serve({});
    const sql = { rule_type: 'CUSTOM_SQL', rule_config: { sql_expression: 'a > b' } };
    const body = { ...sql, table_path: aRule.table_path };
    expect(await call('POST', rules, body)).toMatchObject({ body: { data: { column_name: null } } });
  });

  test('that is deleted while it is changed or deleted is a 404', async () => {
    const store = createMemoryStore();
    const { call } = serve({
      store: {
        ...store,
        rules: { ...store.rules, update: async () => undefined, delete: async () => false },
      },
    });
    const { data } = (await call('POST', rules, aRule)).body as Created;
    const gone = { status: 404, body: { error: { details: { rule_id: data.uuid } } } };
    expect(await call('PATCH', `${rules}/${data.uuid}`, { is_active: false })).toMatchObject(gone);
    expect(await call('DELETE', `${rules}/${data.uuid}`)).toMatchObject(gone);
  });

  test.each([
    ['10 rows if no number is given', {}, 10],
    ['as many rows as are asked for', { sample_limit: 3 }, 3],
    ['no rows if none are asked for', { sample_limit: 0 }, 0],
  ])('that is broken shows %s', async (_, body, count) => {
    const samples = Array.from({ length: 12 }, (__, row_id) => ({ row_id, value: null }));
    const limits: number[] = [];
    const { call } = serve({
      evaluation: {
        checkRule: async (_rule, sampleLimit) => {
          limits.push(sampleLimit);
          return { total_rows: 100, invalid_count: 12, samples };
        },
      },
    });
    const { data } = (await call('POST', rules, aRule)).body as Created;
    const checked = await call('POST', `${rules}/${data.uuid}/check`, body);
    expect(checked.body).toMatchObject({ data: { invalid_samples: { samples: samples.slice(0, count) } } });
    expect(checked.body).not.toMatchObject({ data: { error_message: expect.anything() as unknown } });
    expect(limits).toEqual([count]);
  });

  test('has the verdict of the evaluation if that has one', async () => {
    const verdict = { status: 'warn', invalid_percent: 12.5, execution_duration_ms: 77 };
    const { call } = serve({
      evaluation: { checkRule: async () => ({ total_rows: 4, invalid_count: 4, samples: [], ...verdict }) },
    });
    const { data } = (await call('POST', rules, aRule)).body as Created;
    expect((await call('POST', `${rules}/${data.uuid}/check`)).body).toMatchObject({ data: verdict });
  });
});

describe('a metric', () => {
  test('keeps which percentile it is', async () => {
    const { call, store } = serve({});
    const body = { ...aMetric, metric_type: 'percentile', column_name: 'amount', percentile_value: 95 };
    const { data } = (await call('POST', metrics, body)).body as Created;
    expect(await store.metrics.get(assetId, data.id)).toMatchObject({ percentile_value: 95 });
  });

  test('keeps everything that was given', async () => {
    const { call, store } = serve({ now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678) });
    const given = {
      ...aMetric,
      metric_type: 'avg_value',
      column_name: 'amount',
      capture_interval: 'hourly',
      sensitivity: 2,
      group_by_columns: ['region'],
    };
    const { data } = (await call('POST', metrics, given)).body as Created;
    expect(await store.metrics.get(assetId, data.id)).toEqual({
      ...given,
      id: data.id,
      internal_id: 1,
      asset_id: assetId,
      is_active: true,
      percentile_value: null,
      created_at: '2026-01-02T03:04:05Z',
    });
  });

  test('whose column is not a text is refused for that, not for a column that is missing', async () => {
    const { call } = serve({});
    const answer = await call('POST', metrics, { ...aMetric, metric_type: 'avg_value', column_name: 3 });
    expect(answer.body).toMatchObject({
      error: { details: { field: 'column_name', error: expect.any(String) as unknown } },
    });
    expect(answer.body).not.toMatchObject({
      error: { details: { metric_type: expect.anything() as unknown } },
    });
  });

  test('that is deleted while it is changed or deleted is a 404', async () => {
    const store = createMemoryStore();
    const { call } = serve({
      store: {
        ...store,
        metrics: { ...store.metrics, update: async () => undefined, delete: async () => false },
      },
    });
    const { data } = (await call('POST', metrics, aMetric)).body as Created;
    const gone = { status: 404, body: { error: { details: { metric_id: data.id } } } };
    expect(await call('PATCH', `${metrics}/${data.id}`, { is_active: false })).toMatchObject(gone);
    expect(await call('DELETE', `${metrics}/${data.id}`)).toMatchObject(gone);
  });

  test('shows its latest 30 snapshots if no number is given', async () => {
    const { call } = serve({});
    const { data } = (await call('POST', metrics, aMetric)).body as Created;
    for (let run = 0; run < 31; run += 1) await call('POST', `${metrics}/${data.id}/capture`);
    const shown = async (query: string) => {
      const { body } = await call('GET', `${metrics}/${data.id}${query}`);
      return (body as { data: { snapshots: readonly unknown[] } }).data.snapshots.length;
    };
    expect(await shown('')).toBe(30);
    expect(await shown('?snapshot_limit=31')).toBe(31);
    expect(await shown('?snapshot_limit=2')).toBe(2);
  });
});

test('the summary of the metrics counts each status, and the percentage that passed', async () => {
  const statuses = ['PASS', 'PASS', 'PASS', 'PASS', 'PASS', 'FAIL', 'WARNING', 'WARNING', 'ERROR', 'ODD'];
  let capture = 0;
  const { call } = serve({
    evaluation: {
      captureMetric: async () => [{ value: 1, group_values: null, status: String(statuses[capture++]) }],
    },
  });
  const { data } = (await call('POST', metrics, aMetric)).body as Created;
  for (const _ of statuses) await call('POST', `${metrics}/${data.id}/capture`);
  await call('POST', metrics, aMetric);
  const paused = (await call('POST', metrics, aMetric)).body as Created;
  await call('PATCH', `${metrics}/${paused.data.id}`, { is_active: false });
  expect((await call('GET', `${metrics}/summary`)).body).toEqual({
    data: {
      total_metrics: 3,
      active_metrics: 2,
      total_checks: 10,
      passing: 5,
      failing: 1,
      warning: 2,
      error: 1,
      health_percentage: 50,
    },
  });
});
