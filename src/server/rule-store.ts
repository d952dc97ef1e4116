import type { ResultRecord, ResultStore, RuleRecord, RuleStore } from '../service/store.ts';
import { type OutcomeOptions, redeem } from './outcome.ts';
import { DefinitionStore } from './definition-store.ts';
import { numberIn, statusCounts } from './record.ts';
import type { Row, State } from './state.ts';

/** Keeps the rules. */
export function ruleStore(state: State): RuleStore {
  const rules = new DefinitionStore(state, {
    table: 'rules',
    typeColumn: 'rule_type',
    ids: 'rule_ids',
    deleteOutcomes: 'DELETE FROM results WHERE rule_id = $1',
    fromRow: toRule,
  });
  return {
    list: async (assetId, { rule_type: type = null, is_active: isActive = null }, slice) =>
      rules.list(assetId, { type, isActive }, slice),
    get: async (assetId, uuid) => rules.get(assetId, uuid),
    async insert(draft) {
      const { uuid, asset_id: assetId, rule_type: type, is_active: isActive } = draft;
      return { id: await rules.insert({ uuid, assetId, type, isActive, record: draft }), ...draft };
    },
    update: async (assetId, uuid, patch) => rules.update(assetId, uuid, patch),
    delete: async (assetId, uuid) => rules.delete(assetId, uuid),
  };
}

/** Keeps the results of the rules. */
export function resultStore(state: State, { listener, claim }: OutcomeOptions = {}): ResultStore {
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
      const { result, deliveries } = await state.transaction(async (run) => {
        if (claim !== undefined) await redeem(run, claim);
        const inserted = await run(
          "INSERT INTO results VALUES (nextval('result_ids'), $1, $2, $3, $4) RETURNING id",
          validity_rule_id,
          status,
          checked_at,
          JSON.stringify(draft),
        );
        const stored = { id: numberIn(inserted), ...draft };
        return { result: stored, deliveries: (await listener?.result(run, stored)) ?? [] };
      });
      listener?.queued(deliveries);
      return result;
    },
    async countLatest(assetId) {
      const rows = await state.run(
        `SELECT status, count(*) FROM (
           SELECT DISTINCT ON (results.rule_id) results.status
           FROM results JOIN rules ON rules.id = results.rule_id
           WHERE rules.asset_id = $1
           ORDER BY results.rule_id, results.checked_at DESC, results.id DESC
         ) AS latest GROUP BY status`,
        assetId,
      );
      return statusCounts(rows);
    },
  };
}

/** Reads a row of an id and a record. */
export function toRule([id, record]: Row): RuleRecord {
  return { ...(JSON.parse(String(record)) as RuleRecord), id: Number(id) };
}

function toResult([id, record]: Row): ResultRecord {
  return { ...(JSON.parse(String(record)) as ResultRecord), id: Number(id) };
}
