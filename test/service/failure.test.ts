import { expect, test, vi } from 'vitest';

import { aMetric, aRule, assetId, keys, metrics, rules, serve } from './parts.ts';

interface Created {
  readonly data: { readonly uuid: string; readonly id: string };
}

test('what an evaluation throws is a 500 without its message, and is reported to onError', async () => {
  const secret = new Error('password=hunter2 at /var/lib/state.db');
  const onError = vi.fn<(error: unknown, request: Request) => void>();
  const { call } = serve({ onError, evaluation: { checkRule: async () => Promise.reject(secret) } });
  const { data } = (await call('POST', rules, aRule)).body as Created;

  const answer = await call('POST', `${rules}/${data.uuid}/check`);
  expect(answer.status).toBe(500);
  expect(answer.headers.get('X-RateLimit-Limit')).toBe('5000');
  expect(answer.body).toEqual({ error: { code: 'INTERNAL_ERROR', message: 'Internal error', details: {} } });
  expect(onError).toHaveBeenCalledExactlyOnceWith(secret, expect.any(Request));
  expect(await call('GET', `${rules}/${data.uuid}/results`)).toMatchObject({ body: { data: { items: [] } } });
});

test('without onError what an evaluation throws is a 500 as well', async () => {
  const { call } = serve({ evaluation: { freshness: async () => Promise.reject(new Error('broken')) } });
  expect(await call('GET', `/api/v1/assets/${assetId}/freshness`)).toMatchObject({
    status: 500,
    body: { error: { code: 'INTERNAL_ERROR' } },
  });
});

test('what fails because the client has left is not reported', async () => {
  const onError = vi.fn<(error: unknown, request: Request) => void>();
  const controller = new AbortController();
  const { service } = serve({
    onError,
    evaluation: {
      freshness: async () => {
        controller.abort();
        throw new Error('aborted');
      },
    },
  });
  await service(
    new Request(`https://dq.test/api/v1/assets/${assetId}/freshness`, {
      headers: { Authorization: `Bearer ${keys.readOnly}` },
      signal: controller.signal,
    }),
  );
  expect(onError).not.toHaveBeenCalled();
});

test('the path of the endpoint that a request is for is reported, of a request with a key', async () => {
  const paths: string[] = [];
  const { call } = serve({ onEndpoint: (_, path) => paths.push(path), basePath: '/prefix' });
  await call('GET', `/prefix${rules}?limit=1`);
  await call('POST', `/prefix${metrics}/m_1/capture`, undefined, keys.readOnly);
  await call('GET', `/prefix${rules}`, undefined, 'nobody');
  await call('GET', '/prefix/elsewhere');
  expect(paths).toEqual([
    '/api/v1/sdk/validity/{asset_id}',
    '/api/v1/sdk/metrics/{asset_id}/{metric_id}/capture',
  ]);
});

test('a rule that can’t be evaluated has the status error and says why, here and in the list', async () => {
  const { call } = serve({ evaluation: { checkRule: async () => ({ error_message: 'no column id' }) } });
  const { data } = (await call('POST', rules, aRule)).body as Created;
  const result = {
    status: 'error',
    total_rows: 0,
    invalid_count: 0,
    invalid_percent: 0,
    error_message: 'no column id',
  };
  expect(await call('POST', `${rules}/${data.uuid}/check`)).toMatchObject({
    status: 200,
    body: { data: { ...result, invalid_samples: null } },
  });
  expect(await call('GET', `${rules}/${data.uuid}/results`)).toMatchObject({
    body: { data: { items: [result] } },
  });
  expect((await call('GET', `${rules}/summary`)).body).toEqual({
    data: { total_rules: 1, passing: 0, failing: 0, error: 1 },
  });
});

test('a metric that can’t be evaluated has a snapshot without a value that says why', async () => {
  const { call } = serve({ evaluation: { captureMetric: async () => ({ error_message: 'no such table' }) } });
  const { data } = (await call('POST', metrics, aMetric)).body as Created;
  const snapshot = { value: null, is_anomaly: false, status: 'ERROR', error_message: 'no such table' };
  expect(await call('POST', `${metrics}/${data.id}/capture`)).toMatchObject({
    status: 200,
    body: { data: { snapshot_count: 1, snapshots: [snapshot] } },
  });
  expect(await call('GET', `${metrics}/summary`)).toMatchObject({
    body: { data: { total_checks: 1, passing: 0, error: 1, health_percentage: 0 } },
  });
});

test('a rule deleted while it is checked leaves no result behind', async () => {
  const started = Promise.withResolvers<void>();
  const found = Promise.withResolvers<{ total_rows: number; invalid_count: number; samples: [] }>();
  const checkRule = async () => {
    started.resolve();
    return found.promise;
  };
  const { call, store } = serve({ evaluation: { checkRule } });
  const { data } = (await call('POST', rules, aRule)).body as Created;
  const check = call('POST', `${rules}/${data.uuid}/check`);
  await started.promise;
  expect(await call('DELETE', `${rules}/${data.uuid}`)).toMatchObject({ status: 200 });
  found.resolve({ total_rows: 1, invalid_count: 0, samples: [] });

  expect(await check).toMatchObject({ status: 404, body: { error: { code: 'RULE_NOT_FOUND' } } });
  expect(await store.results.list(1, { limit: 10, offset: 0 })).toEqual({ items: [], total: 0 });
});

test('a check of a table without rows passes with 0 %, and has the time it took', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.advanceTimersByTime(5000);
  try {
    const { call } = serve({
      evaluation: {
        checkRule: async () => {
          vi.advanceTimersByTime(1234);
          return { total_rows: 0, invalid_count: 0, samples: [] };
        },
      },
    });
    const { data } = (await call('POST', rules, aRule)).body as Created;
    expect(await call('POST', `${rules}/${data.uuid}/check`)).toMatchObject({
      body: { data: { status: 'pass', invalid_percent: 0, execution_duration_ms: 1234 } },
    });
  } finally {
    vi.useRealTimers();
  }
});

test('the percentage is judged as it is, not as it would be shown', async () => {
  const { call } = serve({
    evaluation: { checkRule: async () => ({ total_rows: 1_000_000, invalid_count: 1, samples: [] }) },
  });
  const check = async (threshold: number | undefined) => {
    const rule = await call('POST', rules, { ...aRule, alert_threshold_percent: threshold });
    return (await call('POST', `${rules}/${(rule.body as Created).data.uuid}/check`)).body;
  };
  expect(await check(undefined)).toMatchObject({ data: { status: 'fail', invalid_percent: 0.0001 } });
  expect(await check(0.0001)).toMatchObject({ data: { status: 'pass' } });
  expect(await check(0.00009)).toMatchObject({ data: { status: 'fail' } });
});

test('a backend that refuses a rule is a 400 with its words, and nothing is kept', async () => {
  const problem = { field: 'rule_config.pattern', error: 'missing ]: [a' };
  const { call } = serve({ evaluation: { validateRule: async () => problem } });
  expect(await call('POST', rules, aRule)).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', details: problem } },
  });
  expect(await call('GET', rules)).toMatchObject({ body: { pagination: { total: 0 } } });
});

test('the suggestion for an unknown asset names the first three assets of the service', async () => {
  const assets = ['one', 'two', 'three', 'four'].map((name, at) => ({ id: `id-${at}`, numericId: at, name }));
  const suggestion = async (known: typeof assets) =>
    (await serve({ assets: known }).call('GET', rules)).body as {
      error: { details: { suggestion: string } };
    };
  expect((await suggestion(assets)).error.details.suggestion).toBe(
    'Check the asset_id; assets of this service: id-0 (one), id-1 (two), id-2 (three)',
  );
  expect((await suggestion([])).error.details.suggestion).toBe(
    'Check the asset_id; assets of this service: none',
  );
});

test('the suggestion for an unknown asset names its id if the name was given', async () => {
  const { call } = serve({});
  const answer = await call('GET', '/api/v1/sdk/validity/warehouse.shop');
  expect(answer).toMatchObject({
    status: 404,
    body: {
      error: {
        details: {
          asset_id: 'warehouse.shop',
          suggestion: 'Use the id of warehouse.shop: a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11',
        },
      },
    },
  });
});
