import type { ResultRecord, ResultStore, RuleRecord, RuleStore } from '../service/store.ts';
import { changes, numberIn, statusCounts } from './record.ts';
import type { Run, State } from './state.ts';

/** Keeps the rules. */
export function ruleStore(state: State): RuleStore {
  return {
    async list(assetId, { rule_type = null, is_active = null }, { limit, offset }) {
      const filter =
        'asset_id = $1 AND rule_type = coalesce($2, rule_type) AND is_active = coalesce($3::BOOLEAN, is_active)';
      const total = await state.run(
        `SELECT count(*) FROM rules WHERE ${filter}`,
        assetId,
        rule_type,
        is_active,
      );
      const rows = await state.run(
        `SELECT record FROM rules WHERE ${filter} ORDER BY id LIMIT $4::BIGINT OFFSET $5::BIGINT`,
        assetId,
        rule_type,
        is_active,
        limit,
        offset,
      );
      return {
        items: rows.map(([record]) => JSON.parse(String(record)) as RuleRecord),
        total: numberIn(total),
      };
    },
    get: async (assetId, uuid) => find(state.run, assetId, uuid),
    insert: async (draft) =>
      state.transaction(async (run) => {
        const rule: RuleRecord = { id: numberIn(await run("SELECT nextval('rule_ids')")), ...draft };
        const { id, uuid, asset_id, rule_type, is_active } = rule;
        await run(
          'INSERT INTO rules VALUES ($1, $2, $3, $4, $5, $6)',
          id,
          uuid,
          asset_id,
          rule_type,
          is_active,
          JSON.stringify(rule),
        );
        return rule;
      }),
    update: async (assetId, uuid, patch) =>
      state.transaction(async (run) => {
        const rule = await find(run, assetId, uuid);
        if (rule === undefined) return undefined;
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
        `SELECT record FROM results WHERE rule_id = $1
         ORDER BY checked_at DESC, id DESC LIMIT $2::BIGINT OFFSET $3::BIGINT`,
        ruleId,
        limit,
        offset,
      );
      return {
        items: rows.map(([record]) => JSON.parse(String(record)) as ResultRecord),
        total: numberIn(total),
      };
    },
    insert: async (draft) =>
      state.transaction(async (run) => {
        const result: ResultRecord = { id: numberIn(await run("SELECT nextval('result_ids')")), ...draft };
        const { id, validity_rule_id, status, checked_at } = result;
        await run(
          'INSERT INTO results VALUES ($1, $2, $3, $4, $5)',
          id,
          validity_rule_id,
          status,
          checked_at,
          JSON.stringify(result),
        );
        return result;
      }),
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

async function find(run: Run, assetId: string, uuid: string): Promise<RuleRecord | undefined> {
  const [row] = await run('SELECT record FROM rules WHERE uuid = $1 AND asset_id = $2', uuid, assetId);
  return row === undefined ? undefined : (JSON.parse(String(row[0])) as RuleRecord);
}
