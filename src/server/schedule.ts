import { intervalMs } from '../anomalies/interval.ts';
import { runCapture } from '../service/capture.ts';
import { runCheck } from '../service/check.ts';
import type { Backend } from '../service/context.ts';
import { Problem } from '../service/problem.ts';
import type { Job, Jobs } from './jobs.ts';
import { toMetric } from './metric-store.ts';
import { AlreadyRun, type Claim } from './outcome.ts';
import { toRule } from './rule-store.ts';
import type { Row, State } from './state.ts';

/** Most rules and metrics that one process runs by themselves at the same time: those of one table share its scan. */
const mostTogether = 50;

const queue = 'interval-runs';

/** What the schedule works with. */
export interface ScheduleParts {
  readonly state: State;
  readonly jobs: Jobs;
  /** Returns what runs a check or a capture whose outcome is stored only if it redeems the claim. */
  readonly backendFor: (claim: Claim) => Backend;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Ends what runs. */
  readonly signal: AbortSignal;
}

/**
 * Checks the rules and captures the metrics whose interval has passed since their last run, or since they were made:
 * each once, however often it came due meanwhile, and by whatever process is free.
 */
export class Schedule {
  readonly #parts: ScheduleParts;

  constructor(parts: ScheduleParts) {
    this.#parts = parts;
  }

  /** Begins to run what is queued. */
  async start(): Promise<void> {
    await this.#parts.jobs.work(queue, {
      concurrency: mostTogether,
      handle: async (key) => this.#run(JSON.parse(key) as Due),
    });
  }

  /** Queues what is due. */
  async look(): Promise<void> {
    const rules = await this.#find('rules', 'TRUE');
    const metrics = await this.#find('metrics', 'TRUE');
    const due = [...rules, ...metrics].filter(({ isDue }) => isDue);
    const byTable = Map.groupBy(due, ({ tablePath }) => tablePath);
    await this.#parts.jobs.add(queue, [...byTable.values()].flat().map(jobOf));
  }

  async #run([table, uuid, ranAt]: Due): Promise<void> {
    const { backendFor, now, signal } = this.#parts;
    const [found] = await this.#find(table, 'uuid = $1', uuid);
    // Deleted, changed, or run by a process that ended before the job was over.
    if (found === undefined || !found.isDue || found.ranAt !== ranAt) return;
    const backend = backendFor({ table, uuid, ranAt, now: now() });
    try {
      if (table === 'rules') await runCheck(backend, toRule(found.row), 0, signal);
      else await runCapture(backend, toMetric(found.row), signal);
    } catch (error) {
      // It may also be deleted while it runs.
      if (!(error instanceof Problem || error instanceof AlreadyRun)) throw error;
    }
  }

  async #find(table: Due[0], condition: string, ...values: readonly string[]): Promise<readonly Found[]> {
    const { state, now } = this.#parts;
    const rows = await state.run(
      `SELECT id, record, ran_at, uuid FROM ${table} WHERE is_active AND ${condition} ORDER BY id`,
      ...values,
    );
    return rows.map((row) => {
      const { created_at, interval, tablePath } = definitionOf(table, row);
      const ranAt = typeof row[2] === 'number' ? row[2] : null;
      const isDue = now() - (ranAt ?? Date.parse(created_at)) >= intervalMs(interval);
      return { table, uuid: String(row[3]), tablePath, ranAt, isDue, row };
    });
  }
}

/** Table, UUID, and when it ran last: the key of a job. */
type Due = readonly [table: 'rules' | 'metrics', uuid: string, ranAt: number | null];

interface Found {
  readonly table: Due[0];
  readonly uuid: string;
  readonly tablePath: string;
  readonly ranAt: number | null;
  readonly isDue: boolean;
  readonly row: Row;
}

function definitionOf(table: Due[0], row: Row) {
  if (table === 'rules') {
    const { created_at, check_interval: interval, table_path: tablePath } = toRule(row);
    return { created_at, interval, tablePath };
  }
  const { created_at, capture_interval: interval, table_path: tablePath } = toMetric(row);
  return { created_at, interval, tablePath };
}

/** One that waits to begin is not queued again; once it has run, the key of the next run is another one. */
function jobOf({ table, uuid, ranAt }: Found): Job {
  const due: Due = [table, uuid, ranAt];
  return { key: JSON.stringify(due), dueAt: 0 };
}
