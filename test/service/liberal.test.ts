import { describe, expect, test } from 'vitest';

import { aMetric, aRule, metrics, rules, serve } from './parts.ts';

describe('bodies of other clients', () => {
  test.each([{}, null])(
    'a rule_config of %j counts as no configuration for a type that needs none',
    async (config) => {
      const { call } = serve({});
      const created = await call('POST', rules, { ...aRule, rule_config: config });
      expect(created.status).toBe(200);
      const { uuid } = (created.body as { data: { uuid: string } }).data;
      expect((await call('GET', `${rules}/${uuid}`)).body).toMatchObject({ data: { rule_config: null } });
    },
  );

  test('null for an optional key is the default', async () => {
    const { call } = serve({});
    const nothing = { name: null, severity: null, check_interval: null, treat_null_as_valid: null };
    expect(await call('POST', rules, { ...aRule, ...nothing, error_message: null })).toMatchObject({
      status: 200,
      body: { data: { severity: 'warning', check_interval: 'daily' } },
    });
    const none = { column_name: null, percentile_value: null, group_by_columns: null, sensitivity: null };
    expect(await call('POST', metrics, { ...aMetric, ...none })).toMatchObject({
      status: 200,
      body: { data: { column_name: null, sensitivity: 1 } },
    });
  });

  test('null for a key that is needed is refused like a missing one', async () => {
    const { call } = serve({});
    for (const key of ['table_path', 'column_name', 'rule_type']) {
      expect(await call('POST', rules, { ...aRule, [key]: null })).toMatchObject({
        status: 400,
        body: { error: { details: { field: key } } },
      });
    }
  });

  test('PATCH with null removes the description and the threshold, and leaves the rest', async () => {
    const { call } = serve({});
    const given = { description: 'why', alert_threshold_percent: 5, severity: 'critical' };
    const created = await call('POST', rules, { ...aRule, ...given });
    const { uuid } = (created.body as { data: { uuid: string } }).data;
    const patch = { description: null, alert_threshold_percent: null, severity: null };
    expect(await call('PATCH', `${rules}/${uuid}`, patch)).toMatchObject({
      status: 200,
      body: { data: { description: null, alert_threshold_percent: null, severity: 'critical' } },
    });
  });
});

test.each(['1', '12'])(
  'a rule that is asked for by its numeric id %s is not found, with a hint',
  async (id) => {
    const { call } = serve({});
    await call('POST', rules, aRule);
    expect(await call('GET', `${rules}/${id}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'RULE_NOT_FOUND', details: { rule_id: id, suggestion: expect.any(String) } } },
    });
  },
);

test.each(['1x', 'x1', 'v_1'])('a rule that is asked for by %j is not found, without a hint', async (id) => {
  const { body } = await serve({}).call('GET', `${rules}/${id}`);
  expect(body).toMatchObject({ error: { code: 'RULE_NOT_FOUND', details: { rule_id: id } } });
  expect(body).not.toMatchObject({ error: { details: { suggestion: expect.anything() as unknown } } });
});

test('an unknown path is 401 with a wrong key, and 404 with a right one', async () => {
  const { call } = serve({});
  expect((await call('GET', '/api/v1/nothing', undefined, 'wrong')).status).toBe(401);
  expect((await call('GET', '/api/v1/nothing')).status).toBe(404);
});
