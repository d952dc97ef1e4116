import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createDurableStore } from '../../src/server/durable-store.ts';
import { purge } from '../../src/server/retention.ts';
import type { State } from '../../src/server/state.ts';
import { isPostgresInstalled } from '../support/postgres-server.ts';
import { assetId as asset, metric, rule, snapshot } from './records.ts';
import { newDuckDBState, type NewState, postgresStates } from './states.ts';

const all = { limit: 100, offset: 0 };

const result = (ruleId: number, status: string, at: string) => ({
  validity_rule_id: ruleId,
  status,
  total_rows: 1,
  invalid_count: 0,
  invalid_percent: 0,
  execution_duration_ms: 1,
  error_message: null,
  checked_at: at,
});

const at = (day: number) => `2026-03-0${day}T12:00:00.000Z`;
const point = (day: number, value: number) => ({ value, captured_at: at(day), accepted: false });
const node = (id: string) => ({ id, resource_type: 'model', name: id, table_path: null });

function describeStore(engine: string, open: () => Promise<NewState>): void {
  describe(`a store in ${engine}`, () => {
    let opened: NewState;
    let state: State;
    beforeAll(async () => {
      opened = await open();
      ({ state } = opened);
    }, 60_000);
    afterAll(async () => opened[Symbol.asyncDispose]());

    test('lists rules in the order of their creation, filtered by type and activity, page by page', async () => {
      // Its own: other tests have rules, too.
      const own = { asset_id: '11111111-1111-8111-8111-111111111112' };
      const { rules } = createDurableStore(state);
      const first = await rules.insert(rule('v_1', own));
      const second = await rules.insert(rule('v_2', { ...own, rule_type: 'UNIQUE', is_active: false }));
      const third = await rules.insert(
        rule('v_3', { ...own, name: 'Äpfel \u0000 \uD800', rule_config: { a: [1, null] } }),
      );
      expect(third.id).toBeGreaterThan(second.id);
      expect(await rules.list(own.asset_id, {}, { limit: 2, offset: 1 })).toEqual({
        items: [second, third],
        total: 3,
      });
      expect(await rules.list(own.asset_id, { rule_type: 'NOT_NULL' }, all)).toEqual({
        items: [first, third],
        total: 2,
      });
      expect(await rules.list(own.asset_id, { is_active: false }, all)).toEqual({
        items: [second],
        total: 1,
      });
      expect(await rules.get('other', 'v_1')).toBeUndefined();
      expect(await rules.get(own.asset_id, 'v_\u0000')).toBeUndefined();
    });

    test('keeps every change of concurrent updates of one rule', async () => {
      const { rules } = createDurableStore(state);
      await rules.insert(rule('v_many'));
      await Promise.all([
        ...Array.from({ length: 5 }, async () => rules.update(asset, 'v_many', { description: 'changed' })),
        rules.update(asset, 'v_many', { severity: 'critical' }),
        rules.update(asset, 'v_many', { is_active: false }),
      ]);
      expect(await rules.get(asset, 'v_many')).toMatchObject({
        description: 'changed',
        severity: 'critical',
        is_active: false,
      });
      expect((await rules.list(asset, { is_active: false }, all)).items.map(({ uuid }) => uuid)).toContain(
        'v_many',
      );
    });

    test('lists results newest first, counts the latest of each rule, and deletes them with their rule', async () => {
      const { rules, results } = createDurableStore(state);
      const other = '22222222-2222-8222-8222-222222222222';
      const a = await rules.insert(rule('v_a', { asset_id: other }));
      const b = await rules.insert(rule('v_b', { asset_id: other }));
      await results.insert(result(a.id, 'fail', '2026-03-01T12:00:00.000Z'));
      const later = await results.insert(result(a.id, 'pass', '2026-03-02T12:00:00.000Z'));
      const last = await results.insert(result(a.id, 'error', '2026-03-02T12:00:00.000Z'));
      await results.insert(result(b.id, 'error', '2026-03-01T12:00:00.000Z'));
      expect((await results.list(a.id, { limit: 2, offset: 0 })).items).toEqual([last, later]);
      expect(await results.countLatest(other)).toEqual(new Map([['error', 2]]));
      expect(await rules.delete(other, 'v_a')).toBe(true);
      expect(await rules.delete(other, 'v_a')).toBe(false);
      expect(await results.list(a.id, all)).toEqual({ items: [], total: 0 });
      expect(await results.countLatest(other)).toEqual(new Map([['error', 1]]));
    });

    test('returns the latest snapshots of each group that teach, and accepts those of the latest capture', async () => {
      const { metrics, snapshots } = createDurableStore(state);
      const { internal_id: id } = await metrics.insert(metric('m_1'));
      const group = { country: 'ä', size: null };
      for (const day of [1, 2, 3]) {
        await snapshots.insert([
          snapshot(id, { captured_at: at(day), value: day / 3 }),
          snapshot(id, { captured_at: at(day), value: day * 1e300, group_values: group, teaches: day < 3 }),
        ]);
      }
      expect(await snapshots.insert([])).toEqual([]);
      expect(await snapshots.history(id, 2)).toEqual([
        { group_values: group, points: [point(1, 1e300), point(2, 2e300)] },
        { group_values: null, points: [point(2, 2 / 3), point(3, 1)] },
      ]);
      const accepted = await snapshots.accept(id);
      expect(accepted).toMatchObject([
        { value: 1, accepted: true, teaches: true },
        { value: 3e300, accepted: true, teaches: true },
      ]);
      expect((await snapshots.list(id, { limit: 3, offset: 0 })).items).toMatchObject([
        { value: 3e300, accepted: true },
        { value: 1, accepted: true },
        { value: 2e300, accepted: false },
      ]);
      expect(await snapshots.count(asset)).toEqual(new Map([['PASS', 6]]));
    });

    test('adds to the lineage what is not there yet, also when several do so at once', async () => {
      const { lineage } = createDurableStore(state);
      const graph = { nodes: [node('a'), node("b'"), node('a')], edges: [{ from: 'a', to: "b'" }] };
      const added = await Promise.all(Array.from({ length: 4 }, async () => lineage.add(asset, graph)));
      const sum = (key: 'nodes_created' | 'edges_created') =>
        added.reduce((total, change) => total + change[key], 0);
      expect([sum('nodes_created'), sum('edges_created')]).toEqual([2, 1]);
      expect(await lineage.add(asset, { nodes: [node('c')], edges: [] })).toEqual({
        nodes_created: 1,
        edges_created: 0,
        nodes_total: 3,
        edges_total: 1,
      });
      const { nodes, edges } = await lineage.get(asset);
      expect(nodes.map(({ id }) => id).toSorted()).toEqual(['a', "b'", 'c']);
      expect(edges).toEqual([{ from: 'a', to: "b'" }]);
    });

    test('purges what is old, but the latest result of each rule, and what belongs to nothing', async () => {
      const { rules, results } = createDurableStore(state);
      const { id } = await rules.insert(rule('v_old'));
      for (const day of ['01', '02', '03'])
        await results.insert(result(id, 'pass', `2026-01-${day}T12:00:00.000Z`));
      await results.insert(result(-1, 'pass', '2026-03-01T12:00:00.000Z'));
      await purge(state, 30, Date.parse('2026-03-01T12:00:00Z'));
      expect((await results.list(id, all)).items.map((item) => item.checked_at)).toEqual([
        '2026-01-03T12:00:00.000Z',
      ]);
      expect((await results.list(-1, all)).total).toBe(0);
    });

    test('a transaction that fails leaves nothing behind', async () => {
      await expect(
        state.transaction(async (run) => {
          await run("INSERT INTO reported VALUES ('left', 'behind')");
          throw new Error('stop');
        }),
      ).rejects.toThrow('stop');
      const [row] = await state.run("SELECT count(*) FROM reported WHERE subject = 'left'");
      expect(Number(row?.[0])).toBe(0);
    });
  });
}

describeStore('a DuckDB file', newDuckDBState);

describe.skipIf(!isPostgresInstalled)('PostgreSQL', () => {
  let databases: Awaited<ReturnType<typeof postgresStates>>;
  beforeAll(async () => {
    databases = await postgresStates();
  }, 60_000);
  afterAll(async () => databases[Symbol.asyncDispose]());

  describeStore('PostgreSQL', async () => databases.newState());
});
