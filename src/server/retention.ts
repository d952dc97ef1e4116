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
    `DELETE FROM results WHERE id IN (
       SELECT id FROM (
         SELECT id, checked_at, row_number() OVER (PARTITION BY rule_id ORDER BY checked_at DESC, id DESC) AS place
         FROM results
       ) AS ranked WHERE checked_at < $1 AND place > 1
     )`,
    time,
  );
  await state.run(
    `DELETE FROM snapshots WHERE id IN (
       SELECT id FROM (
         SELECT id, captured_at, row_number() OVER (
           PARTITION BY metric_id, group_values ORDER BY captured_at DESC, id DESC
         ) AS place
         FROM snapshots
       ) AS ranked WHERE captured_at < $1 AND place > $2::BIGINT
     )`,
    time,
    keptSnapshots,
  );
  // A rule may be deleted by one process while another one checks it.
  await state.run('DELETE FROM results WHERE rule_id NOT IN (SELECT id FROM rules)');
  await state.run('DELETE FROM snapshots WHERE metric_id NOT IN (SELECT id FROM metrics)');
  await state.run(`DELETE FROM deliveries WHERE status <> 'pending' AND finished_at < $1`, cutoff);
  await state.run('DELETE FROM freshness_periods WHERE until_at < $1', cutoff);
  await state.run(
    'DELETE FROM reported WHERE subject NOT IN (SELECT uuid FROM rules UNION ALL SELECT uuid FROM metrics)',
  );
}
