import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Client, Tool } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { endpoints } from '../../src/contract/endpoints.ts';
import { callTool, serveMcp, table, type ToolResult } from './served-mcp.ts';

let subject: Awaited<ReturnType<typeof serveMcp>>;
let client: Client;
let tools: readonly Tool[];
const called = new Set<string>();

beforeAll(async () => {
  subject = await serveMcp();
  client = await subject.connect();
  ({ tools } = await client.listTools());
}, 60_000);
afterAll(async () => {
  await subject[Symbol.asyncDispose]();
});

async function call(name: string, input: Readonly<Record<string, unknown>> = {}): Promise<ToolResult> {
  called.add(name);
  return callTool(client, name, input);
}

const endpointTools = Object.entries(endpoints).flatMap(([resource, ofResource]) =>
  Object.entries(ofResource).map(([method, endpoint]) => ({ name: `${resource}_${method}`, endpoint })),
);

describe('the list of tools', () => {
  test('has one for every endpoint, the gate, plans, backtests and what the local service lists', () => {
    expect(tools.map(({ name }) => name).toSorted()).toEqual(
      [
        ...endpointTools.map(({ name }) => name),
        'gate',
        'rules_plan',
        'metrics_backtest',
        'assets_list',
        'tables_list',
      ].toSorted(),
    );
  });

  test.each(endpointTools)('$name says what it does to the service', ({ name, endpoint }) => {
    const { annotations, title } = tools.find((tool) => tool.name === name) ?? {};
    expect(title).toMatch(/^[A-Z]/);
    expect(annotations).toEqual({
      readOnlyHint: endpoint.method === 'GET',
      destructiveHint: endpoint.method === 'DELETE' || endpoint.method === 'PATCH',
      idempotentHint: endpoint.method !== 'POST',
      openWorldHint: false,
    });
  });

  test('is small enough for a context', () => {
    // About four characters are a token.
    expect(JSON.stringify(tools).length).toBeLessThan(42_000);
  });

  test('has flat inputs, whose every field is described', () => {
    expect(tools.length).toBeGreaterThan(20);
    const odd = tools.flatMap(({ name, inputSchema }) => {
      const { properties = {}, ...schema } = inputSchema;
      const bare = Object.entries(properties).filter(([, field]) => !('description' in Object(field)));
      const variants = ['oneOf', 'anyOf', 'allOf'].filter((word) => word in schema);
      return [...bare.map(([field]) => field), ...variants].map((what) => `${name}: ${what}`);
    });
    expect(odd).toEqual([]);
  });

  test('is the one that was reviewed', async () => {
    const shown = tools.map(({ outputSchema, ...tool }) => ({
      ...tool,
      returns: Object.keys(outputSchema?.['properties'] ?? {}),
    }));
    const text = JSON.stringify(shown, null, 2).replaceAll(subject.assetId, '<asset>');
    await expect(`${text}\n`).toMatchFileSnapshot('tools.snap');
  });
});

// In this order, as the last test asks what the others have called.
describe('the tools', { shuffle: false }, () => {
  test('manage and check rules', async () => {
    const { value: rule } = await call('validity_create', {
      rule_type: 'REGEX',
      table_path: table,
      column_name: 'email',
      rule_config: { pattern: '@' },
      severity: 'critical',
    });
    expect(rule).toMatchObject({ rule_type: 'REGEX', table_path: table, severity: 'critical' });
    const { uuid: rule_id } = rule;
    expect((await call('validity_get', { rule_id })).value).toMatchObject({ rule_config: { pattern: '@' } });
    expect(await call('validity_update', { rule_id, name: 'reachable' })).toMatchObject({ isError: false });
    expect((await call('validity_list')).value).toMatchObject({
      items: [{ uuid: rule_id, name: 'reachable' }],
      total: 1,
      has_more: false,
    });
    expect((await call('validity_check', { rule_id })).value).toMatchObject({
      status: 'fail',
      total_rows: 3,
      invalid_count: 2,
    });
    expect((await call('validity_results', { rule_id })).value).toMatchObject({
      items: [{ status: 'fail', invalid_count: 2 }],
    });
    expect((await call('validity_summary')).value).toMatchObject({ total_rules: 1, failing: 1 });
    expect((await call('gate')).value).toMatchObject({
      outcome: 'failed',
      summary: 'Gate failed: 1 failed',
      checks: [{ kind: 'rule', outcome: 'failed', rule_id, name: 'reachable', invalid_count: 2 }],
    });
    expect((await call('gate', { fail_on: 'critical', rule_types: ['UNIQUE'] })).value).toMatchObject({
      outcome: 'inconclusive',
    });
    expect((await call('validity_delete', { rule_id })).value).toMatchObject({ success: true });
    expect((await call('validity_list')).value).toMatchObject({ items: [], total: 0 });
  });

  test('manage and capture metrics', async () => {
    const { value: metric } = await call('metrics_create', { metric_type: 'row_count', table_path: table });
    const { id: metric_id } = metric;
    expect((await call('metrics_capture', { metric_id })).value).toMatchObject({ snapshots: [{ value: 3 }] });
    expect((await call('metrics_get', { metric_id })).value).toMatchObject({ snapshots: [{ value: 3 }] });
    expect(await call('metrics_update', { metric_id, sensitivity: 0.5 })).toMatchObject({ isError: false });
    expect((await call('metrics_list')).value).toMatchObject({
      items: [{ id: metric_id, sensitivity: 0.5 }],
    });
    expect((await call('metrics_snapshots', { metric_id })).value).toMatchObject({
      items: [{ value: 3 }],
      has_more: false,
    });
    expect((await call('metrics_backtest', { metric_id, sensitivity: 2 })).value).toEqual({
      sensitivity: 2,
      captures: 1,
      judged: 0,
      anomalies: 0,
      days: [],
      anomalous: [],
    });
    expect((await call('metrics_summary')).value).toMatchObject({ total_metrics: 1 });
    expect((await call('metrics_delete', { metric_id })).value).toMatchObject({ success: true });
  });

  test('plan a definition and change nothing', async () => {
    const source = `tables:\n  ${table}:\n    rules:\n      - { rule_type: UNIQUE, column_name: id }\n`;
    expect((await call('rules_plan', { source })).value).toMatchObject({
      has_changes: true,
      counts: { create: 1, delete: 0 },
      changes: [{ action: 'create', kind: 'rule', table_path: table, column_name: 'id', label: 'UNIQUE' }],
    });
    expect((await call('validity_list')).value).toMatchObject({ items: [] });
    const { isError, text } = await call('rules_plan', { source: 'tabels: {}' });
    expect({ isError, text }).toMatchObject({
      isError: true,
      text: expect.stringContaining('did you mean "tables"?') as unknown,
    });
  });

  test('list assets and tables of the local service', async () => {
    expect((await call('assets_list')).value).toEqual({ assets: [{ id: subject.assetId, name: 'shop' }] });
    expect((await call('tables_list')).value).toMatchObject({
      tables: [{ table_path: table, columns: [{ name: 'id' }, { name: 'email' }, { name: 'day' }] }],
    });
  });

  test('say that freshness is not configured', async () => {
    for (const name of ['freshness_get', 'freshness_overview']) {
      const { isError, text } = await call(name);
      expect(isError).toBe(true);
      expect(text).toContain('FRESHNESS_NOT_CONFIGURED');
      expect(text).toContain('The asset has no freshness threshold');
    }
  });

  test('upload a manifest of the folder and no other file', async () => {
    const manifest = {
      metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' },
      nodes: {
        'model.shop.orders': { unique_id: 'model.shop.orders', resource_type: 'model', name: 'orders' },
      },
      sources: {},
      parent_map: { 'model.shop.orders': [] },
    };
    const { folder } = subject.served;
    await writeFile(join(folder.path, 'manifest.json'), JSON.stringify(manifest));
    await writeFile(join(folder.parent, 'manifest.json'), JSON.stringify(manifest));
    expect((await call('lineage_upload', { manifest_path: 'manifest.json' })).value).toMatchObject({
      sync_stats: { nodes_created: 1 },
    });
    for (const manifest_path of [
      '../manifest.json',
      join(folder.parent, 'manifest.json'),
      'orders.csv',
      'none.json',
    ]) {
      const { isError, text } = await call('lineage_upload', { manifest_path });
      expect({ isError, text }).toMatchObject({
        isError: true,
        text: expect.stringContaining('in the folder that the server was started in') as unknown,
      });
    }
  });

  test('have all been called above', () => {
    expect([...called].toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });
});
