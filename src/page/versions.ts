import type { State } from '../server/state.ts';

/** A text per rule or metric, by its id, that differs when anything of it has changed. */
export type Versions = ReadonlyMap<string, string>;

/** Reads the versions of all rules and metrics in two statements, whichever process changed them. */
export async function readVersions(state: State): Promise<Versions> {
  const rules = await state.run(
    `SELECT rules.uuid, rules.record, latest.id
     FROM rules LEFT JOIN (SELECT rule_id, max(id) AS id FROM results GROUP BY rule_id) latest ON latest.rule_id = rules.id`,
  );
  const metrics = await state.run(
    `SELECT metrics.uuid, metrics.record, latest.id, latest.accepted
     FROM metrics LEFT JOIN (
       SELECT metric_id, max(id) AS id, sum(CASE WHEN accepted THEN 1 ELSE 0 END) AS accepted FROM snapshots GROUP BY metric_id
     ) latest ON latest.metric_id = metrics.id`,
  );
  return new Map([...rules, ...metrics].map(([id, ...parts]) => [String(id), parts.join('\n')]));
}
