import type { GroupValues } from '../contract/metrics-responses.ts';
import type { MetricRecord, MetricStore, SnapshotRecord, SnapshotStore } from '../service/store.ts';
import { changes } from '../service/changes.ts';
import { numberIn, statusCounts } from './record.ts';
import type { Row, Run, State } from './state.ts';

/** Keeps the metrics. */
export function metricStore(state: State): MetricStore {
  return {
    async list(assetId, { metric_type = null, is_active = null }, { limit, offset }) {
      const filter =
        'asset_id = $1 AND metric_type = coalesce($2, metric_type) AND is_active = coalesce($3::BOOLEAN, is_active)';
      const filters = [assetId, metric_type, is_active] as const;
      const total = await state.run(`SELECT count(*) FROM metrics WHERE ${filter}`, ...filters);
      const rows = await state.run(
        `SELECT id, record FROM metrics WHERE ${filter} ORDER BY id LIMIT $4::BIGINT OFFSET $5::BIGINT`,
        ...filters,
        limit,
        offset,
      );
      return { items: rows.map(toMetric), total: numberIn(total) };
    },
    get: async (assetId, id) => find(state.run, assetId, id),
    async insert(draft) {
      const { id, asset_id, metric_type, is_active } = draft;
      const inserted = await state.run(
        "INSERT INTO metrics (id, uuid, asset_id, metric_type, is_active, record) VALUES (nextval('metric_ids'), $1, $2, $3, $4, $5) RETURNING id",
        id,
        asset_id,
        metric_type,
        is_active,
        JSON.stringify(draft),
      );
      return { ...draft, internal_id: numberIn(inserted) };
    },
    update: async (assetId, id, patch) =>
      state.transaction(async (run) => {
        const metric = await find(run, assetId, id);
        if (metric === undefined) return undefined;
        const updated = { ...metric, ...changes(patch) };
        await run(
          'UPDATE metrics SET is_active = $2, record = $3 WHERE uuid = $1',
          id,
          updated.is_active,
          JSON.stringify(updated),
        );
        return updated;
      }),
    delete: async (assetId, id) =>
      state.transaction(async (run) => {
        const metric = await find(run, assetId, id);
        if (metric === undefined) return false;
        await run('DELETE FROM snapshots WHERE metric_id = $1', metric.internal_id);
        await run('DELETE FROM metrics WHERE uuid = $1', id);
        return true;
      }),
  };
}

/** Keeps the snapshots of the metrics. */
export function snapshotStore(state: State): SnapshotStore {
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
    insert: async (drafts) =>
      state.transaction(async (run) => {
        const ids = await run("SELECT nextval('snapshot_ids') FROM range($1::BIGINT)", drafts.length);
        const snapshots = drafts.map((draft, at) => Object.assign({ id: Number(ids[at]?.[0]) }, draft));
        await run(insertSnapshots, JSON.stringify(snapshots.map(snapshotRow)));
        return snapshots;
      }),
    async history(metricId, most) {
      const rows = await state.run(
        `SELECT group_values, value, captured_at, accepted FROM snapshots WHERE metric_id = $1 AND teaches
         QUALIFY row_number() OVER (PARTITION BY group_values ORDER BY captured_at DESC, id DESC) <= $2::BIGINT
         ORDER BY captured_at, id`,
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
          `SELECT record FROM snapshots WHERE metric_id = $1
           AND captured_at = (SELECT system.main.max(captured_at) FROM snapshots WHERE metric_id = $1)
           QUALIFY row_number() OVER (PARTITION BY group_values ORDER BY id DESC) = 1 ORDER BY id`,
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

const insertSnapshots = `INSERT INTO snapshots BY NAME SELECT unnest(from_json($1, '[{
  "id": "BIGINT", "metric_id": "BIGINT", "value": "DOUBLE", "group_values": "VARCHAR",
  "status": "VARCHAR", "captured_at": "VARCHAR", "record": "VARCHAR", "teaches": "BOOLEAN", "accepted": "BOOLEAN"
}]'), recursive := true)`;

function snapshotRow(snapshot: SnapshotRecord) {
  const { id, metric_definition_id: metricId, value, group_values, status } = snapshot;
  const { captured_at, teaches, accepted } = snapshot;
  const group = JSON.stringify(group_values);
  return {
    id,
    metric_id: metricId,
    value,
    group_values: group,
    status,
    captured_at,
    record: JSON.stringify(snapshot),
    teaches,
    accepted,
  };
}

async function find(run: Run, assetId: string, uuid: string): Promise<MetricRecord | undefined> {
  const [row] = await run('SELECT id, record FROM metrics WHERE uuid = $1 AND asset_id = $2', uuid, assetId);
  return row === undefined ? undefined : toMetric(row);
}

function toMetric([id, record]: Row): MetricRecord {
  return { ...(JSON.parse(String(record)) as MetricRecord), internal_id: Number(id) };
}
