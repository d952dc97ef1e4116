import { intervalMs } from '../anomalies/interval.ts';
import type { Interval } from '../contract/vocabulary.ts';
import { runCapture } from '../service/capture.ts';
import { runCheck } from '../service/check.ts';
import type { Backend } from '../service/context.ts';
import { Problem } from '../service/problem.ts';
import type { MetricRecord, RuleRecord } from '../service/store.ts';
import type { Row, State } from './state.ts';

/** Most rules and metrics of one table that run at the same time. */
const mostTogether = 50;

/** What is due. */
interface Due {
  readonly asset_id: string;
  readonly table_path: string;
  readonly run: () => Promise<void>;
}

/**
 * Checks the rules and captures the metrics whose interval has passed since their last run, or since they were made:
 * each once, however often it came due meanwhile. Those of one table run together, so that they share a scan of it; one
 * that fails leaves the others to end.
 */
export async function runDue(state: State, backend: Backend, signal: AbortSignal): Promise<void> {
  const due = [...(await dueRules(state, backend)), ...(await dueMetrics(state, backend))];
  const byTable = Map.groupBy(due, ({ asset_id, table_path }) => JSON.stringify([asset_id, table_path]));
  for (const ofTable of byTable.values()) {
    for (let first = 0; first < ofTable.length; first += mostTogether) {
      if (signal.aborted) return;
      const runs = ofTable.slice(first, first + mostTogether).map(async ({ run }) => run());
      const failed = (await Promise.allSettled(runs)).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    }
  }
}

async function dueRules(state: State, backend: Backend): Promise<readonly Due[]> {
  const rows = await state.run('SELECT id, record, ran_at FROM rules WHERE is_active ORDER BY id');
  return rows.flatMap((row) => {
    const rule: RuleRecord = { ...(JSON.parse(String(row[1])) as RuleRecord), id: Number(row[0]) };
    if (!isDue(row, rule.created_at, rule.check_interval, backend.now())) return [];
    const run = async () => {
      await unlessDeleted(async () => runCheck(backend, rule, 0));
      await state.run('UPDATE rules SET ran_at = $2 WHERE uuid = $1', rule.uuid, backend.now());
    };
    return [{ asset_id: rule.asset_id, table_path: rule.table_path, run }];
  });
}

async function dueMetrics(state: State, backend: Backend): Promise<readonly Due[]> {
  const rows = await state.run('SELECT id, record, ran_at FROM metrics WHERE is_active ORDER BY id');
  return rows.flatMap((row) => {
    const metric: MetricRecord = {
      ...(JSON.parse(String(row[1])) as MetricRecord),
      internal_id: Number(row[0]),
    };
    if (!isDue(row, metric.created_at, metric.capture_interval, backend.now())) return [];
    const run = async () => {
      await unlessDeleted(async () => runCapture(backend, metric));
      await state.run('UPDATE metrics SET ran_at = $2 WHERE uuid = $1', metric.id, backend.now());
    };
    return [{ asset_id: metric.asset_id, table_path: metric.table_path, run }];
  });
}

function isDue(row: Row, createdAt: string, interval: Interval, now: number): boolean {
  const ranAt = row[2];
  const last = typeof ranAt === 'number' ? ranAt : Date.parse(createdAt);
  return now - last >= intervalMs(interval);
}

/** A rule or metric may be deleted while it runs. */
async function unlessDeleted(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}
