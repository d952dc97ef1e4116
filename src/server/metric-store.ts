import type { GroupValues } from '../contract/metrics-responses.ts';
import type { MetricRecord, MetricStore, SnapshotRecord, SnapshotStore } from '../service/store.ts';
import { type OutcomeOptions, redeem } from './outcome.ts';
import { DefinitionStore } from './definition-store.ts';
import { numberIn, statusCounts } from './record.ts';
import type { Row, Run, State } from './state.ts';

/** Keeps the metrics. */
export function metricStore(state: State): MetricStore {
  const metrics = new DefinitionStore(state, {
    table: 'metrics',
    typeColumn: 'metric_type',
    ids: 'metric_ids',
    deleteOutcomes: 'DELETE FROM snapshots WHERE metric_id = $1',
    fromRow: toMetric,
  });
  return {
    list: async (assetId, { metric_type: type = null, is_active: isActive = null }, slice) =>
      metrics.list(assetId, { type, isActive }, slice),
    get: async (assetId, id) => metrics.get(assetId, id),
    async insert(draft) {
      const { id: uuid, asset_id: assetId, metric_type: type, is_active: isActive } = draft;
      return {
        ...draft,
        internal_id: await metrics.insert({ uuid, assetId, type, isActive, record: draft }),
      };
    },
    update: async (assetId, id, patch) => metrics.update(assetId, id, patch),
    delete: async (assetId, id) => metrics.delete(assetId, id),
  };
}

/** Keeps the snapshots of the metrics. */
export function snapshotStore(state: State, { listener, claim }: OutcomeOptions = {}): SnapshotStore {
  return {
    async list(metricId, { limit, offset }) {
      const total = await state.run('SELECT count(*) FROM snapshots WHERE metric_id = $1', metricId);
      const rows = await state.run(
        `SELECT record FROM snapshots WHERE metric_id = $1
         ORDER BY captured_at DESC, id DESC LIMIT $2::BIGINT OFFSET $3::BIGINT`,
        metricId,
        limit,
        offset,
      );
      return {
        items: rows.map(([record]) => JSON.parse(String(record)) as SnapshotRecord),
        total: numberIn(total),
      };
    },
    async insert(drafts) {
      const { snapshots, deliveries } = await state.transaction(async (run) => {
        if (claim !== undefined) await redeem(run, claim);
        const ids = await run(
          "SELECT nextval('snapshot_ids') FROM generate_series(1, $1::BIGINT)",
          drafts.length,
        );
        const stored = drafts.map((draft, at) => Object.assign({ id: Number(ids[at]?.[0]) }, draft));
        await insertSnapshots(run, stored);
        return { snapshots: stored, deliveries: (await listener?.capture(run, stored)) ?? [] };
      });
      listener?.queued(deliveries);
      return snapshots;
    },
    async history(metricId, most) {
      const rows = await state.run(
        `SELECT group_values, "value", captured_at, accepted FROM (
           SELECT *, row_number() OVER (PARTITION BY group_values ORDER BY captured_at DESC, id DESC) AS place
           FROM snapshots WHERE metric_id = $1 AND teaches
         ) AS taught WHERE place <= $2::BIGINT ORDER BY captured_at, id`,
        metricId,
        most,
      );
      const groups = Map.groupBy(rows, ([group]) => String(group));
      return Array.from(groups, ([group, points]) => ({
        group_values: JSON.parse(group) as GroupValues,
        points: points.map(([, value, capturedAt, accepted]) => ({
          value: value === null ? null : Number(value),
          captured_at: String(capturedAt),
          accepted: accepted === true,
        })),
      }));
    },
    accept: async (metricId) =>
      state.transaction(async (run) => {
        const rows = await run(
          `SELECT record FROM (
             SELECT id, record, row_number() OVER (PARTITION BY group_values ORDER BY id DESC) AS place
             FROM snapshots WHERE metric_id = $1
             AND captured_at = (SELECT max(captured_at) FROM snapshots WHERE metric_id = $1)
           ) AS latest WHERE place = 1 ORDER BY id`,
          metricId,
        );
        const accepted = rows.map(([record]) =>
          Object.assign(JSON.parse(String(record)) as SnapshotRecord, { teaches: true, accepted: true }),
        );
        for (const snapshot of accepted) {
          await run(
            'UPDATE snapshots SET teaches = true, accepted = true, record = $2 WHERE id = $1::BIGINT',
            snapshot.id,
            JSON.stringify(snapshot),
          );
        }
        return accepted;
      }),
    async count(assetId) {
      const rows = await state.run(
        `SELECT snapshots.status, count(*) FROM snapshots JOIN metrics ON metrics.id = snapshots.metric_id
         WHERE metrics.asset_id = $1 GROUP BY snapshots.status`,
        assetId,
      );
      return statusCounts(rows);
    },
  };
}

async function insertSnapshots(run: Run, snapshots: readonly SnapshotRecord[]): Promise<void> {
  const column = (valueOf: (snapshot: SnapshotRecord) => string | number | boolean | null) =>
    snapshots.map((snapshot) => {
      const value = valueOf(snapshot);
      return value === null ? null : String(value);
    });
  await run(
    `INSERT INTO snapshots (id, metric_id, "value", group_values, status, captured_at, record, teaches, accepted)
     SELECT unnest($1::VARCHAR[])::BIGINT, unnest($2::VARCHAR[])::BIGINT, unnest($3::VARCHAR[])::FLOAT8,
       unnest($4::VARCHAR[]), unnest($5::VARCHAR[]), unnest($6::VARCHAR[]), unnest($7::VARCHAR[]),
       unnest($8::VARCHAR[])::BOOLEAN, unnest($9::VARCHAR[])::BOOLEAN`,
    column(({ id }) => id),
    column((snapshot) => snapshot.metric_definition_id),
    column(({ value }) => value),
    column((snapshot) => JSON.stringify(snapshot.group_values)),
    column(({ status }) => status),
    column((snapshot) => snapshot.captured_at),
    column((snapshot) => JSON.stringify(snapshot)),
    column(({ teaches }) => teaches),
    column(({ accepted }) => accepted),
  );
}

/** Reads a row of an id and a record. */
export function toMetric([id, record]: Row): MetricRecord {
  return { ...(JSON.parse(String(record)) as MetricRecord), internal_id: Number(id) };
}
