import type { State } from './state.ts';

const day = 86_400_000;

/** Snapshots of one series that stay however old they are: what an anomaly is judged by. */
const keptSnapshots = 1000;

/**
 * Deletes results, snapshots, periods of freshness and finished deliveries that are older than so many days. The latest result of a rule
 * and the latest snapshots of a metric stay: they say how things are.
 */
export async function purge(state: State, days: number, now: number): Promise<void> {
  const cutoff = now - days * day;
  const time = new Date(cutoff).toISOString();
  await state.run(
    `DELETE FROM results WHERE checked_at < $1
     AND id NOT IN (SELECT arg_max(id, (checked_at, id)) FROM results GROUP BY rule_id)`,
    time,
  );
  await state.run(
    `DELETE FROM snapshots WHERE captured_at < $1 AND id NOT IN (
       SELECT id FROM snapshots
       QUALIFY row_number() OVER (PARTITION BY metric_id, group_values ORDER BY captured_at DESC, id DESC) <= $2::BIGINT
     )`,
    time,
    keptSnapshots,
  );
  await state.run(`DELETE FROM deliveries WHERE status <> 'pending' AND finished_at < $1`, cutoff);
  await state.run('DELETE FROM freshness_periods WHERE until_at < $1', cutoff);
  await state.run(
    'DELETE FROM reported WHERE subject NOT IN (SELECT uuid FROM rules UNION ALL SELECT uuid FROM metrics)',
  );
}
