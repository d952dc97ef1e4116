import { setTimeout as sleep } from 'node:timers/promises';

import { startLocalService } from 'data-quality-client/local';
import { expect, test, vi } from 'vitest';

import { kill, type Running, start } from '../support/process.ts';
import { dataFolder, serve } from '../support/served.ts';

async function call(
  base: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; data: Record<string, unknown> }> {
  const response = await fetch(base + path, {
    method,
    headers: { Authorization: 'Bearer writer', 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status === 429) {
    await response.body?.cancel();
    await sleep(1000);
    return call(base, method, path, body);
  }
  const answer = (await response.json()) as { data: Record<string, unknown> };
  return { status: response.status, data: answer.data };
}

/** What was confirmed so far, and must never be lost. */
interface Answered {
  readonly rules: Map<string, number>;
  /** Rules whose deletion was requested, and those of them whose deletion was confirmed. */
  readonly deleting: Set<string>;
  readonly deleted: Set<string>;
  /** Ids of results, by rule. */
  readonly results: Map<string, number[]>;
  /** Ids of snapshots. */
  readonly snapshots: number[];
}

/** Writes until the service is gone. */
async function work(
  { url, assetId }: Running,
  metricPath: string,
  answered: Answered,
  turn: number,
): Promise<void> {
  const base = `${url}/api/v1/sdk/validity/${assetId}`;
  const description = 'x'.repeat(20_000);
  try {
    for (let count = 0; count < 500; count += 1) {
      const { data: rule } = await call(base, 'POST', '', {
        rule_type: 'NOT_NULL',
        table_path: 'shop.main.a',
        column_name: 'a',
        name: `${turn}-${count}`,
        description,
      });
      const uuid = String(rule['uuid']);
      answered.rules.set(uuid, Number(rule['id']));
      const { data: result } = await call(base, 'POST', `/${uuid}/check`, {});
      answered.results.set(uuid, [Number(result['id'])]);
      if (count % 3 === 0) {
        answered.deleting.add(uuid);
        await call(base, 'DELETE', `/${uuid}`);
        answered.deleted.add(uuid);
      }
      const { data: capture } = await call(url, 'POST', `${metricPath}/capture`);
      answered.snapshots.push(...(capture['snapshots'] as { id: number }[]).map(({ id }) => id));
    }
  } catch {
    // The service was killed.
  }
}

async function verify({ url, assetId }: Running, metricPath: string, answered: Answered): Promise<void> {
  const base = `${url}/api/v1/sdk/validity/${assetId}`;
  for (const [uuid, id] of answered.rules) {
    const { status, data } = await call(base, 'GET', `/${uuid}`);
    // A deletion that was requested and not confirmed may have happened.
    const allowed = answered.deleted.has(uuid) ? [404] : answered.deleting.has(uuid) ? [200, 404] : [200];
    expect(allowed).toContain(status);
    if (status === 404) continue;
    expect(data['id']).toBe(id);
    const { data: results } = await call(base, 'GET', `/${uuid}/results`);
    const ids = (results['items'] as { id: number }[]).map((item) => item.id);
    expect(ids).toEqual(expect.arrayContaining(answered.results.get(uuid) ?? []));
  }
  const { data: snapshots } = await call(url, 'GET', `${metricPath}/snapshots?limit=1000`);
  const ids = (snapshots['items'] as { id: number }[]).map((item) => item.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(answered.snapshots));
}

test(
  'loses nothing that was acknowledged, however often it is killed while it writes',
  { timeout: 120_000 },
  async () => {
    await using folder = await dataFolder({ 'a.csv': 'a\n1\n' });
    const answered: Answered = {
      rules: new Map(),
      deleting: new Set(),
      deleted: new Set(),
      results: new Map(),
      snapshots: [],
    };
    let running = await start(folder.path);
    const { data: metric } = await call(running.url, 'POST', `/api/v1/sdk/metrics/${running.assetId}`, {
      metric_type: 'row_count',
      table_path: 'shop.main.a',
    });
    const metricPath = `/api/v1/sdk/metrics/${running.assetId}/${String(metric['id'])}`;
    for (let turn = 0; turn < 6; turn += 1) {
      const before = answered.rules.size;
      const working = [work(running, metricPath, answered, turn), work(running, metricPath, answered, turn)];
      await vi.waitFor(() => expect(answered.rules.size).toBeGreaterThan(before), 20_000);
      await sleep(turn * 37);
      await kill(running);
      await Promise.all(working);
      running = await start(folder.path);
      await verify(running, metricPath, answered);
    }
    await kill(running);
    expect(answered.rules.size).toBeGreaterThan(5);
    expect(new Set(answered.rules.values()).size).toBe(answered.rules.size);
  },
);

test('closed and started again it has everything, and numbers are never used twice', async () => {
  await using served = await serve({ 'a.csv': 'a\n1\n' });
  const rule = { rule_type: 'NOT_NULL', table_path: 'shop.main.a', column_name: 'a', name: 'first' };
  const path = `/api/v1/sdk/validity/${served.assetId}`;
  const kept = await served.createRule(rule);
  const gone = await served.call('POST', path, rule);
  await served.call('PATCH', `${path}/${kept}`, { severity: 'critical', is_active: false });
  await served.checkAgain(kept);
  const manifest = JSON.stringify({
    metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' },
    nodes: { 'model.a.b': { resource_type: 'model', name: 'b', depends_on: { nodes: ['source.a.c'] } } },
    sources: { 'source.a.c': { resource_type: 'source', name: 'c' } },
  });
  const upload = async (url: string, key: string) => {
    const form = new FormData();
    form.set('file', new Blob([manifest]), 'manifest.json');
    const response = await fetch(`${url}/api/v1/assets/${served.assetId}/lineage/upload`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}` },
      body: form,
    });
    return response.json();
  };
  expect(await upload(served.service.url, served.service.keys.admin)).toMatchObject({
    sync_stats: { nodes_created: 2, edges_created: 1 },
  });
  await served.call('DELETE', `${path}/${String(gone.body.data?.['uuid'])}`);
  await served.service.close();

  await using again = await startLocalService({ data: served.folder.path, keys: { readWrite: 'writer' } });
  const { data } = await call(again.url, 'GET', `${path}/${kept}`);
  expect(data).toMatchObject({ name: 'first', severity: 'critical', is_active: false });
  const { data: results } = await call(again.url, 'GET', `${path}/${kept}/results`);
  expect(results['items']).toMatchObject([{ status: 'pass', total_rows: 1 }]);
  const { data: next } = await call(again.url, 'POST', path, rule);
  expect(next['id']).toBeGreaterThan(Number(gone.body.data?.['id']));
  expect(await upload(again.url, 'writer')).toMatchObject({
    sync_stats: { nodes_created: 0, edges_created: 0 },
  });
});

test('a second process on the same state is refused with a clear error', { timeout: 30_000 }, async () => {
  await using folder = await dataFolder({ 'a.csv': 'a\n1\n' });
  const running = await start(folder.path);
  await expect(startLocalService({ data: folder.path })).rejects.toThrow(
    /Another local service uses the state/,
  );
  await kill(running);
  const service = await startLocalService({ data: folder.path });
  await service.close();
});

test('close ends a query that runs, and may be called twice', async () => {
  const served = await serve({ 'a.csv': 'a\n1\n' });
  const uuid = await served.createRule({
    rule_type: 'CUSTOM_SQL',
    table_path: 'shop.main.a',
    rule_config: { sql_expression: '(SELECT count(*) FROM range(1000000000000) x, range(1000000) y) > 0' },
  });
  const checking = served.checkAgain(uuid).catch((error: unknown) => error);
  await sleep(200);
  await Promise.all([served.service.close(), served.service.close()]);
  expect(String(await checking)).toContain('INTERNAL_ERROR');
  await using again = await startLocalService({ data: served.folder.path, keys: { readWrite: 'writer' } });
  const path = `/api/v1/sdk/validity/${served.assetId}/${uuid}/results`;
  expect((await call(again.url, 'GET', path)).data['items']).toEqual([]);
  await again.close();
  await served[Symbol.asyncDispose]();
});
