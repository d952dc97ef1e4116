import { DataQualityClient } from 'data-quality-client';
import { createFakeService } from 'data-quality-client/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { serve, type Served } from '../support/served.ts';

let local: Served;
beforeAll(async () => {
  local = await serve({ 'orders.csv': 'id,name\n1,a\n' });
});
afterAll(async () => {
  await local[Symbol.asyncDispose]();
});

const patterns = [
  'a',
  '^[A-Z]{2}\\d+$',
  '(?P<y>a)',
  '(?<y>a)',
  '(?i)abc',
  '(?i:abc)',
  '(?s).',
  '(?-i)a',
  '(?=a)b',
  '(?!a)b',
  '(?<=a)b',
  '(?<!a)b',
  '(a)\\1',
  '(?>a)',
  'a++',
  'a*+',
  '[[:alpha:]]+',
  '[^[:digit:]]',
  '\\pL+',
  '\\p{Greek}',
  '\\Aa\\z',
  '\\Qa.b\\E',
  'a{2,1000}',
  'a{1001}',
  '(',
  ')',
  '[',
  '[a',
  'a**',
  '*',
  '\\',
  '\\-',
  '\\@',
  '[\\w.+-]+@[\\w-]+\\.\\w+',
  '\\x{41}',
  '[]a]',
  '(?:a|b)?',
  '(?P<y',
  'a|b|',
  '\\d{4}-\\d{2}',
].map((pattern) => ({ rule_type: 'REGEX', rule_config: { pattern } }));

const formats = [
  'YYYY-MM-DD',
  'yyyy-mm-dd',
  '%Y-%m-%d',
  '%Q',
  '%Y-%Q',
  'Do',
  'hello',
  '',
  '[on] YYYY',
  'DD.MM.YYYY HH:mm',
  '%',
].map((format) => ({ rule_type: 'DATE_FORMAT', rule_config: { format } }));

const expressions = [
  'id > 0',
  'select from',
  'select id from orders',
  'id > 0; drop table orders',
  'id >',
  '(id > 0',
  'id > 0)',
  "name = 'a",
  '',
  'id IN (1, 2)',
  "name LIKE 'a%' AND id IS NOT NULL",
  '-- note\nid > 0',
  "name = ';'",
  'id > 0 and',
  'not (id = 2)',
].map((sql_expression) => ({ rule_type: 'CUSTOM_SQL', rule_config: { sql_expression } }));

test.each([...patterns, ...formats, ...expressions])(
  'the fake and the local service agree on %j',
  async (definition) => {
    const fake = createFakeService();
    const rule = {
      table_path: 'shop.main.orders',
      ...(definition.rule_type === 'CUSTOM_SQL' ? {} : { column_name: 'name' }),
      ...definition,
    };
    const response = await fake.fetch(`${fake.baseUrl}/api/v1/sdk/validity/${fake.asset.id}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${fake.keys.readWrite}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(rule),
    });
    const { status, body } = await local.call('POST', `/api/v1/sdk/validity/${local.assetId}`, rule);
    expect({ status: response.status, of: 'fake' }).toEqual({ status, of: 'fake' });
    if (status === 200) return;
    const refused = (await response.json()) as { error: { code: string; details: { field: string } } };
    const { code, details } = body.error as typeof refused.error;
    expect(refused.error).toMatchObject({ code, details: { field: details.field } });
  },
);

test('a client can be made of what the fake suggests, and its retries follow at once', async () => {
  const fake = createFakeService();
  fake.failNext({ status: 503, times: 3 });
  const waits: number[] = [];
  const hooks = { onRetry: ({ delayMs }: { delayMs: number }) => void waits.push(delayMs) };
  const client = new DataQualityClient({ ...fake.clientOptions, hooks });
  expect(await client.validity.list(fake.asset.id).toArray()).toEqual([]);
  expect(waits).toHaveLength(3);
  expect(Math.max(...waits)).toBeLessThanOrEqual(4);
});
