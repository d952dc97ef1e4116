import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readDeliveries } from '../../src/page/deliveries.ts';
import { readVersions } from '../../src/page/versions.ts';
import { alertOf } from '../../src/server/alert.ts';
import { createDurableStore } from '../../src/server/durable-store.ts';
import { enqueue } from '../../src/server/outbox.ts';
import { writeExposition } from '../../src/server/prometheus/exposition.ts';
import { stateFamilies } from '../../src/server/prometheus/state-families.ts';
import type { State } from '../../src/server/state.ts';
import { isPostgresInstalled } from '../support/postgres-server.ts';
import { metric, rule, snapshot } from './records.ts';
import { newDuckDBState, type NewState, postgresStates } from './states.ts';

const asset = { id: '11111111-1111-8111-8111-111111111111', numericId: 1, name: 'shop' };
const minute = 60_000;
const now = Date.parse('2026-03-04T12:00:00Z');

function describeReading(engine: string, open: () => Promise<NewState>): void {
  describe(`what is read of a state in ${engine}`, () => {
    let opened: NewState;
    let state: State;
    beforeAll(async () => {
      opened = await open();
      ({ state } = opened);
    }, 60_000);
    afterAll(async () => opened[Symbol.asyncDispose]());

    test('by Prometheus: each active rule by its latest result, and the queue of deliveries', async () => {
      const { rules, results } = createDurableStore(state);
      const checked = await rules.insert(rule('v_checked'));
      await rules.insert(rule('v_new'));
      await rules.insert(rule('v_inactive', { is_active: false }));
      await rules.insert(rule('v_elsewhere', { asset_id: 'another' }));
      for (const [status, invalid_percent, checked_at] of [
        ['fail', 50, '2026-03-02T12:00:00.000Z'],
        ['pass', 12.5, '2026-03-03T12:00:00.000Z'],
      ] as const) {
        await results.insert({
          validity_rule_id: checked.id,
          status,
          total_rows: 8,
          invalid_count: 1,
          invalid_percent,
          execution_duration_ms: 1,
          error_message: null,
          checked_at,
        });
      }
      const event = {
        type: 'discovery_complete',
        qualified_name: 'shop',
        asset_type: 'data_asset',
        details: {},
      } as const;
      const alert = alertOf(event, { assetUrl: 'http://127.0.0.1', now });
      await state.transaction(async (run) => enqueue(run, alert, ['ops'], now - 5000));
      const lines = writeExposition(await stateFamilies(state, [asset], now)).split('\n');
      const labels =
        'asset="shop",rule="v_checked",name="",table="shop.main.a",column="a",severity="warning"';
      expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
        'data_quality_rules{asset="shop",status="pass"} 1',
        'data_quality_rules{asset="shop",status="unchecked"} 1',
        `data_quality_rule_invalid_percent{${labels}} 12.5`,
        `data_quality_rule_last_check_timestamp_seconds{${labels}} ${Date.parse('2026-03-03T12:00:00Z') / 1000}`,
        'data_quality_deliveries{destination="ops",status="pending"} 1',
        'data_quality_delivery_queue_length 1',
        'data_quality_delivery_queue_delay_seconds 5',
      ]);
      expect(await readDeliveries(state)).toEqual([
        {
          subject: 'Discovery complete: shop',
          destination: 'ops',
          status: 'pending',
          attempts: 0,
          at: now - 5000,
          problem: undefined,
        },
      ]);
    });

    test('by the page: a version of each rule and metric that differs when anything of it has changed', async () => {
      const { metrics, snapshots } = createDurableStore(state);
      const inserted = await metrics.insert(metric('m_versions'));
      const seen = new Set<string | undefined>();
      const look = async () => seen.add((await readVersions(state)).get('m_versions'));
      await look();
      await look();
      expect(seen.size).toBe(1);
      await metrics.update(asset.id, 'm_versions', { sensitivity: 0.5 });
      await look();
      await snapshots.insert([snapshot(inserted.internal_id, { is_anomaly: true, status: 'FAIL' })]);
      await look();
      await snapshots.accept(inserted.internal_id);
      await look();
      expect(seen.size).toBe(4);
    });

    test('of its freshness: periods, not looks, with the gaps in which nobody looked', async () => {
      const { freshness } = createDurableStore(state);
      const look = async (minutes: number, status: string) =>
        freshness.record(asset.id, { status, at: now + minutes * minute }, 3 * minute);
      for (const [minutes, status] of [
        [0, 'fresh'],
        [1, 'fresh'],
        [4, 'stale'],
        [5, 'stale'],
        [9, 'stale'],
        [10, 'fresh'],
      ] as const) {
        await look(minutes, status);
      }
      const periods = await freshness.list(asset.id, now);
      expect(
        periods.map(({ status, from, until }) => [status, (from - now) / minute, (until - now) / minute]),
      ).toEqual([
        ['fresh', 0, 4],
        ['stale', 4, 5],
        ['stale', 9, 10],
        ['fresh', 10, 10],
      ]);
      await look(11, 'fresh');
      expect(await freshness.list(asset.id, now + 10 * minute)).toEqual([
        { status: 'fresh', from: now + 10 * minute, until: now + 11 * minute },
      ]);
    });
  });
}

describeReading('DuckDB', newDuckDBState);

describe.skipIf(!isPostgresInstalled)('in PostgreSQL', () => {
  let states: Awaited<ReturnType<typeof postgresStates>>;
  beforeAll(async () => {
    states = await postgresStates();
  }, 60_000);
  afterAll(async () => states[Symbol.asyncDispose]());
  describeReading('PostgreSQL', async () => states.newState());
});
