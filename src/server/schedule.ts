import { intervalMs } from '../anomalies/interval.ts';
import type { Interval } from '../contract/vocabulary.ts';
import { runCapture } from '../service/capture.ts';
import { runCheck } from '../service/check.ts';
import type { Backend } from '../service/context.ts';
import { Problem } from '../service/problem.ts';
import type { MetricRecord, RuleRecord } from '../service/store.ts';
import type { Row, State } from './state.ts';

/**
 * Checks the rules and captures the metrics whose interval has passed since their last run, or since they were made:
 * each once, however often it came due meanwhile.
 */
export async function runDue(state: State, backend: Backend, signal: AbortSignal): Promise<void> {
  const rules = await state.run('SELECT id, record, ran_at FROM rules WHERE is_active ORDER BY id');
  for (const row of rules) {
    const rule: RuleRecord = { ...(JSON.parse(String(row[1])) as RuleRecord), id: Number(row[0]) };
    if (signal.aborted) return;
    if (!isDue(row, rule.created_at, rule.check_interval, backend.now())) continue;
    await unlessDeleted(async () => runCheck(backend, rule, 0));
    await state.run('UPDATE rules SET ran_at = $2 WHERE uuid = $1', rule.uuid, backend.now());
  }
  const metrics = await state.run('SELECT id, record, ran_at FROM metrics WHERE is_active ORDER BY id');
  for (const row of metrics) {
    const metric: MetricRecord = {
      ...(JSON.parse(String(row[1])) as MetricRecord),
      internal_id: Number(row[0]),
    };
    if (signal.aborted) return;
    if (!isDue(row, metric.created_at, metric.capture_interval, backend.now())) continue;
    await unlessDeleted(async () => runCapture(backend, metric));
    await state.run('UPDATE metrics SET ran_at = $2 WHERE uuid = $1', metric.id, backend.now());
  }
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
