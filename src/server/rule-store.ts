import type { ResultRecord, ResultStore, RuleRecord, RuleStore } from '../service/store.ts';
import { changes } from '../service/changes.ts';
import { numberIn, statusCounts } from './record.ts';
import type { Row, Run, State } from './state.ts';

/** Keeps the rules. */
export function ruleStore(state: State): RuleStore {
  // Each check asks for its rule twice.
  const known = new Map<string, RuleRecord>();

  const find = async (run: Run, assetId: string, uuid: string): Promise<RuleRecord | undefined> => {
    const cached = known.get(uuid);
    if (cached !== undefined) return cached.asset_id === assetId ? cached : undefined;
    const [row] = await run('SELECT id, record FROM rules WHERE uuid = $1 AND asset_id = $2', uuid, assetId);
    if (row === undefined) return undefined;
    const rule = toRule(row);
    known.set(uuid, rule);
    return rule;
  };

  return {
    async list(assetId, { rule_type = null, is_active = null }, { limit, offset }) {
      const filter =
        'asset_id = $1 AND rule_type = coalesce($2, rule_type) AND is_active = coalesce($3::BOOLEAN, is_active)';
      const filters = [assetId, rule_type, is_active] as const;
      const total = await state.run(`SELECT count(*) FROM rules WHERE ${filter}`, ...filters);
      const rows = await state.run(
        `SELECT id, record FROM rules WHERE ${filter} ORDER BY id LIMIT $4::BIGINT OFFSET $5::BIGINT`,
        ...filters,
        limit,
        offset,
      );
      return { items: rows.map(toRule), total: numberIn(total) };
    },
    get: async (assetId, uuid) => find(state.run, assetId, uuid),
    async insert(draft) {
      const { uuid, asset_id, rule_type, is_active } = draft;
      const inserted = await state.run(
        "INSERT INTO rules (id, uuid, asset_id, rule_type, is_active, record) VALUES (nextval('rule_ids'), $1, $2, $3, $4, $5) RETURNING id",
        uuid,
        asset_id,
        rule_type,
        is_active,
        JSON.stringify(draft),
      );
      return { id: numberIn(inserted), ...draft };
    },
    update: async (assetId, uuid, patch) =>
      state.transaction(async (run) => {
        const rule = await find(run, assetId, uuid);
        if (rule === undefined) return undefined;
        known.delete(uuid);
        const updated = { ...rule, ...changes(patch) };
        await run(
          'UPDATE rules SET is_active = $2, record = $3 WHERE uuid = $1',
          uuid,
          updated.is_active,
          JSON.stringify(updated),
        );
        return updated;
      }),
    delete: async (assetId, uuid) =>
      state.transaction(async (run) => {
        const rule = await find(run, assetId, uuid);
        if (rule === undefined) return false;
        known.delete(uuid);
        await run('DELETE FROM results WHERE rule_id = $1', rule.id);
        await run('DELETE FROM rules WHERE uuid = $1', uuid);
        return true;
      }),
  };
}

/** Keeps the results of the rules. */
export function resultStore(state: State): ResultStore {
  return {
    async list(ruleId, { limit, offset }) {
      const total = await state.run('SELECT count(*) FROM results WHERE rule_id = $1', ruleId);
      const rows = await state.run(
        `SELECT id, record FROM results WHERE rule_id = $1
         ORDER BY checked_at DESC, id DESC LIMIT $2::BIGINT OFFSET $3::BIGINT`,
        ruleId,
        limit,
        offset,
      );
      return { items: rows.map(toResult), total: numberIn(total) };
    },
    async insert(draft) {
      const { validity_rule_id, status, checked_at } = draft;
      const inserted = await state.run(
        "INSERT INTO results VALUES (nextval('result_ids'), $1, $2, $3, $4) RETURNING id",
        validity_rule_id,
        status,
        checked_at,
        JSON.stringify(draft),
      );
      return { id: numberIn(inserted), ...draft };
    },
    async countLatest(assetId) {
      const rows = await state.run(
        `SELECT status, count(*) FROM (
           SELECT arg_max(results.status, (results.checked_at, results.id)) AS status
           FROM results JOIN rules ON rules.id = results.rule_id
           WHERE rules.asset_id = $1 GROUP BY results.rule_id
         ) GROUP BY status`,
        assetId,
      );
      return statusCounts(rows);
    },
  };
}

function toRule([id, record]: Row): RuleRecord {
  return { ...(JSON.parse(String(record)) as RuleRecord), id: Number(id) };
}

function toResult([id, record]: Row): ResultRecord {
  return { ...(JSON.parse(String(record)) as ResultRecord), id: Number(id) };
}
