import { describe, expect, test } from 'vitest';

import type { CreateValidityRule } from '../../src/index.ts';
import { assetId, createClient, ruleId, useService } from './service.ts';

const service = useService();
const client = createClient();

// The interface document, typed by hand: list items and the create response carry these fields.
const rule = {
  id: 17,
  uuid: ruleId,
  table_path: 'warehouse.sales.orders',
  column_name: 'email',
  rule_type: 'REGEX',
  name: 'Emails look like emails',
  severity: 'critical',
  is_active: true,
  check_interval: 'daily',
  created_at: '2026-03-01T08:00:00Z',
};
const pagination = { total: 1, limit: 50, offset: 0, has_more: false };

test('summary', async () => {
  const summary = { total_rules: 12, passing: 9, failing: 2, error: 1 };
  service.answer({ data: summary });

  expect(await client.validity.summary(assetId)).toEqual(summary);
  service.expectRequest({ method: 'GET', path: `/api/v1/sdk/validity/${assetId}/summary` });
});

describe('list', () => {
  test('sends its filters and returns the page', async () => {
    service.answer({ data: { items: [rule] }, pagination });

    const page = await client.validity.list(assetId, {
      rule_type: 'REGEX',
      is_active: true,
      limit: 50,
      offset: 0,
    });
    expect(page.items).toEqual([rule]);
    expect(page.pagination).toEqual(pagination);
    expect(page.hasNextPage()).toBe(false);
    expect(await page.getNextPage()).toBeUndefined();
    service.expectRequest({
      method: 'GET',
      path: `/api/v1/sdk/validity/${assetId}`,
      query: 'rule_type=REGEX&is_active=true&limit=50&offset=0',
    });
  });

  test('sends only what it was given', async () => {
    service.answer({ data: { items: [] }, pagination: { ...pagination, total: 0 } });

    expect((await client.validity.list(assetId)).items).toEqual([]);
    service.expectRequest({ method: 'GET', path: `/api/v1/sdk/validity/${assetId}` });
  });

  test('reads the envelope of the general lists', async () => {
    service.answer({ data: [rule], pagination });
    expect(await client.validity.list(assetId).toArray()).toEqual([rule]);
  });

  test.each([{ data: { items: [rule] } }, { data: { items: [rule] }, pagination: null }, { data: [rule] }])(
    'takes a list without pagination for a last page: %j',
    async (body) => {
      service.answer(body);
      const page = await client.validity.list(assetId);
      expect(page.items).toEqual([rule]);
      expect(page.hasNextPage()).toBe(false);
    },
  );

  test('keeps fields and values it does not know, and accepts nulls', async () => {
    const grown = {
      ...rule,
      rule_type: 'SCHEMA_CONTRACT',
      severity: 'fatal',
      check_interval: null,
      name: null,
      owner: { team: 'data' },
    };
    service.answer({ data: { items: [grown] }, pagination: { ...pagination, cursor: 'abc' } });
    const page = await client.validity.list(assetId);
    expect(page.items).toEqual([grown]);
    expect(page.pagination).toEqual({ ...pagination, cursor: 'abc' });
  });

  test('accepts items that have nothing but their ids', async () => {
    const bare = { id: 1, uuid: ruleId };
    service.answer({ data: { items: [bare] } });
    expect((await client.validity.list(assetId)).items).toEqual([bare]);
  });

  test('refuses items without the id that everything else needs', async () => {
    const { uuid: _uuid, ...anonymous } = rule;
    service.answer({ data: { items: [rule, anonymous] } });
    await expect(client.validity.list(assetId)).rejects.toMatchObject({
      name: 'ResponseValidationError',
      issues: [{ path: ['data', 'items', 1, 'uuid'] }],
    });
  });
});

test('get', async () => {
  const detail = {
    id: 17,
    uuid: ruleId,
    table_path: 'warehouse.sales.orders',
    column_name: 'email',
    rule_type: 'REGEX',
    rule_config: { pattern: '^[^@]+@[^@]+$' },
    name: 'Emails look like emails',
    description: '',
    severity: 'critical',
    is_active: true,
    alert_threshold_percent: 0.5,
    treat_null_as_valid: false,
    check_interval: 'daily',
  };
  service.answer({ data: detail });

  expect(await client.validity.get(assetId, ruleId)).toEqual(detail);
  service.expectRequest({ method: 'GET', path: `/api/v1/sdk/validity/${assetId}/${ruleId}` });
});

test('get of a rule whose type has no configuration', async () => {
  service.answer({ data: { id: 1, uuid: ruleId, rule_type: 'NOT_NULL', rule_config: null } });
  expect((await client.validity.get(assetId, ruleId)).rule_config).toBeNull();
});

describe('create', () => {
  const table = { table_path: 'warehouse.sales.orders', column_name: 'email' } as const;
  const bodies: CreateValidityRule[] = [
    { rule_type: 'NOT_NULL', ...table },
    { rule_type: 'UNIQUE', ...table, rule_config: null },
    { rule_type: 'REGEX', ...table, rule_config: { pattern: '^\\S+$' }, severity: 'critical' },
    { rule_type: 'RANGE', ...table, rule_config: { min: 0 } },
    { rule_type: 'RANGE', ...table, rule_config: { min: 0, max: 1.5 } },
    { rule_type: 'ENUM', ...table, rule_config: { allowed_values: ['a', 1, true, null] } },
    { rule_type: 'DATE_FORMAT', ...table, rule_config: { format: 'YYYY-MM-DD' } },
    {
      rule_type: 'CUSTOM_SQL',
      table_path: 'warehouse.sales.orders',
      rule_config: { sql_expression: 'total >= 0' },
      name: 'Totals',
      description: 'No negative totals',
      severity: 'info',
      error_message: 'negative total',
      alert_threshold_percent: 0.25,
      treat_null_as_valid: true,
      check_interval: 'hourly',
    },
  ];

  test.each(bodies)('sends what it was given: $rule_type', async (body) => {
    service.answer({ data: rule }, 201);

    expect(await client.validity.create(assetId, body)).toEqual(rule);
    service.expectRequest({ method: 'POST', path: `/api/v1/sdk/validity/${assetId}`, body });
  });

  test.each([
    [{ rule_type: 'NOT_NULL', table_path: 't' }, 'column_name'],
    [{ rule_type: 'NOT_NULL', column_name: 'c' }, 'table_path'],
    [{ rule_type: 'REGEX', ...table }, 'rule_config'],
    [{ rule_type: 'REGEX', ...table, rule_config: {} }, 'rule_config.pattern'],
    [{ rule_type: 'RANGE', ...table, rule_config: {} }, 'needs min or max'],
    [{ rule_type: 'RANGE', ...table, rule_config: { min: 2, max: 1 } }, 'min must not exceed max'],
    [{ rule_type: 'ENUM', ...table, rule_config: { allowed_values: [] } }, 'allowed_values'],
    [{ rule_type: 'NOPE', ...table }, 'rule_type'],
    [{ rule_type: 'NOT_NULL', ...table, severity: 'fatal' }, 'severity'],
    [{ rule_type: 'NOT_NULL', ...table, check_interval: 'never' }, 'check_interval'],
    [{ rule_type: 'NOT_NULL', ...table, alert_threshold_percent: 101 }, 'alert_threshold_percent'],
    [{ rule_type: 'NOT_NULL', ...table, typo: 1 }, 'typo'],
    [undefined, 'expected object'],
  ])('refuses %j and names what is wrong', async (body, named) => {
    const error: unknown = await client.validity
      .create(assetId, body as CreateValidityRule)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'InvalidRequestError', message: expect.stringContaining(named) });
    expect(service.requests).toHaveLength(0);
  });
});

describe('update', () => {
  const patch = { is_active: false, name: 'n', alert_threshold_percent: 1 };

  test.each([
    [{ data: { uuid: ruleId, is_active: false } }, { uuid: ruleId, is_active: false }],
    [
      { uuid: ruleId, is_active: false },
      { uuid: ruleId, is_active: false },
    ],
    [{ data: null }, {}],
    [{}, {}],
    [undefined, {}],
  ])('reads the body the interface does not show: %j', async (body, value) => {
    service.answer(body, body === undefined ? 204 : 200);

    expect(await client.validity.update(assetId, ruleId, patch)).toEqual(value);
    service.expectRequest({
      method: 'PATCH',
      path: `/api/v1/sdk/validity/${assetId}/${ruleId}`,
      body: patch,
    });
  });
});

describe('delete', () => {
  test.each([
    [
      { success: true, message: 'deleted' },
      { success: true, message: 'deleted' },
    ],
    [{ data: { success: true, message: 'deleted' } }, { success: true, message: 'deleted' }],
    [{ data: null }, { success: true }],
    [{}, { success: true }],
    [undefined, { success: true }],
  ])('reads the body the interface does not show: %j', async (body, value) => {
    service.answer(body, body === undefined ? 204 : 200);

    expect(await client.validity.delete(assetId, ruleId)).toEqual(value);
    service.expectRequest({ method: 'DELETE', path: `/api/v1/sdk/validity/${assetId}/${ruleId}` });
  });
});

describe('check', () => {
  const result = {
    id: 5001,
    validity_rule_id: 17,
    status: 'fail',
    total_rows: 10_000,
    invalid_count: 25,
    invalid_percent: 0.25,
    invalid_samples: {
      samples: [
        { row_id: 4, value: 'not-an-email' },
        { row_id: 9, value: null },
      ],
    },
    execution_duration_ms: 321,
    checked_at: '2026-03-01T08:05:00Z',
  };

  test('returns the result with its samples', async () => {
    service.answer({ data: result });

    expect(await client.validity.check(assetId, ruleId, { sample_limit: 5 })).toEqual(result);
    service.expectRequest({
      method: 'POST',
      path: `/api/v1/sdk/validity/${assetId}/${ruleId}/check`,
      body: { sample_limit: 5 },
    });
  });

  test('leaves the sample limit to the service, and takes a status it does not know', async () => {
    service.answer({ data: { ...result, status: 'skipped', invalid_samples: null } });

    const check = await client.validity.check(assetId, ruleId);
    expect(check.status).toBe('skipped');
    expect(check.invalid_samples).toBeNull();
    service.expectRequest({
      method: 'POST',
      path: `/api/v1/sdk/validity/${assetId}/${ruleId}/check`,
      body: {},
    });
  });
});

test('results', async () => {
  const result = {
    id: 5001,
    validity_rule_id: 17,
    status: 'pass',
    total_rows: 10_000,
    invalid_count: 0,
    invalid_percent: 0,
    execution_duration_ms: 321,
    checked_at: '2026-03-01T08:05:00Z',
  };
  service.answer({ data: { items: [result] }, pagination: { ...pagination, limit: 1000 } });

  expect((await client.validity.results(assetId, ruleId, { limit: 1000, offset: 20 })).items).toEqual([
    result,
  ]);
  service.expectRequest({
    method: 'GET',
    path: `/api/v1/sdk/validity/${assetId}/${ruleId}/results`,
    query: 'limit=1000&offset=20',
  });
});

describe('arguments that can not be sent', () => {
  test.each([
    ['validity.summary: assetId must not be empty', () => client.validity.summary('')],
    ['validity.summary: assetId', () => client.validity.summary(7 as unknown as string)],
    ['validity.get: ruleId must not be empty', () => client.validity.get(assetId, '')],
    ['validity.get: ruleId', () => client.validity.get(assetId, '..')],
    ['limit', () => client.validity.list(assetId, { limit: 0 })],
    ['limit', () => client.validity.list(assetId, { limit: 101 })],
    ['limit', () => client.validity.list(assetId, { limit: 1.5 })],
    ['offset', () => client.validity.list(assetId, { offset: -1 })],
    ['concurrency', () => client.validity.list(assetId, {}, { concurrency: 0 })],
    ['limit', () => client.validity.results(assetId, ruleId, { limit: 0 })],
    ['sample_limit', () => client.validity.check(assetId, ruleId, { sample_limit: -1 })],
    ['timeout', () => client.validity.summary(assetId, { timeout: 0 })],
    ['totalTimeout', () => client.validity.summary(assetId, { totalTimeout: Number.NaN })],
    ['maxRetries', () => client.validity.summary(assetId, { maxRetries: -1 })],
    ['signal', () => client.validity.summary(assetId, { signal: {} as AbortSignal })],
    ['headers', () => client.validity.summary(assetId, { headers: { x: 'a\nb' } })],
  ])('%s is named, nothing is sent', async (named, call) => {
    const error: unknown = await call().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'InvalidRequestError', message: expect.stringContaining(named) });
    expect(service.requests).toHaveLength(0);
  });
});
