import { describe, expect, test } from 'vitest';

import type { Subject } from './subject.ts';

async function upload(subject: Subject, body: FormData | string, headers: Record<string, string> = {}) {
  const path = `/api/v1/assets/${subject.harness.unconfiguredAssetId}/lineage/upload`;
  const response = await subject.send(
    path,
    { method: 'POST', body, headers },
    subject.harness.keys.readWrite,
  );
  return { status: response.status, body: await response.json() };
}

function formOf(part: string, content: string): FormData {
  const form = new FormData();
  form.append(part, new File([content], 'manifest.json', { type: 'application/json' }));
  return form;
}

const manifest = {
  metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' },
  nodes: {
    'model.shop.orders': { resource_type: 'model', name: 'orders' },
    'seed.shop.raw_orders': { resource_type: 'seed', name: 'raw_orders' },
    'test.shop.not_null': { resource_type: 'test', name: 'not_null' },
  },
  sources: { 'source.shop.pay.payments': { resource_type: 'source', name: 'payments' } },
  parent_map: {
    'model.shop.orders': ['seed.shop.raw_orders', 'source.shop.pay.payments'],
    'test.shop.not_null': ['model.shop.orders'],
  },
};

/** The upload of a manifest (interface: Lineage upload). */
export function describeLineage(subject: () => Subject): void {
  describe('lineage', () => {
    test('a manifest makes nodes and edges, once', async () => {
      const first = await upload(subject(), formOf('file', JSON.stringify(manifest)));
      expect(first).toMatchObject({
        status: 200,
        body: { sync_stats: { nodes_created: 3, edges_created: 2 } },
      });
      const second = await upload(subject(), formOf('file', JSON.stringify(manifest)));
      expect(second.body).toMatchObject({ sync_stats: { nodes_created: 0, edges_created: 0 } });
    });

    test.each([
      ['another part', () => formOf('manifest', JSON.stringify(manifest))],
      ['no JSON', () => formOf('file', 'nodes: {}')],
      ['no manifest', () => formOf('file', '{"results":[]}')],
      [
        'another artifact',
        () =>
          formOf(
            'file',
            '{"metadata":{"dbt_schema_version":"https://schemas.getdbt.com/dbt/catalog/v1.json"},"nodes":{}}',
          ),
      ],
    ])('%s is 400 and names the part', async (_, form) => {
      expect(await upload(subject(), form())).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR', details: { field: 'file' } } },
      });
    });

    test('a broken form is 400, no form is 415', async () => {
      const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
      expect(await upload(subject(), '--x\r\nnothing', headers)).toMatchObject({ status: 400 });
      expect(await upload(subject(), '{}', { 'Content-Type': 'application/json' })).toMatchObject({
        status: 415,
      });
    });
  });
}
