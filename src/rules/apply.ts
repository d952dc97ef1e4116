import type { DataQualityClient } from '../client.ts';
import { isApiError } from '../errors/documented-errors.ts';
import { type Applied, ApplyError } from './applied.ts';
import type { Change, Changes } from './changes.ts';
import { inParallel } from './in-parallel.ts';
import { listExisting } from './list-existing.ts';
import { type ChangeToMake, makeChange } from './make-change.ts';
import { CreatedSincePlan } from './created-since-plan.ts';
import { placeKey } from './key.ts';

/** A change that was begun, and how it ended. */
export interface ApplyEvent {
  /** The change that ended. */
  readonly change: Change;
  /** How it ended. */
  readonly outcome: 'applied' | 'failed';
  /** Why it failed. */
  readonly error?: unknown;
  /** How many have ended. */
  readonly done: number;
  /** How many were permitted. */
  readonly total: number;
}

/** What `apply` may do. */
export interface ApplyOptions {
  /**
   * Whether to delete what the definition does not have.
   *
   * @default false
   */
  readonly prune?: boolean | undefined;
  /**
   * Whether to replace what PATCH can't change, which loses its history.
   *
   * @default false
   */
  readonly replace?: boolean | undefined;
  /**
   * Changes under way at once.
   *
   * @default 8
   */
  readonly concurrency?: number | undefined;
  /** Called with each change as it ends. */
  readonly onProgress?: ((event: ApplyEvent) => void) | undefined;
  /** Cancels the requests under way; the call then throws. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the changes of a plan: creates and updates, and deletes or replaces only what it is permitted to. Needs the
 * scope `read-write`. Doing it twice changes nothing more, as what has appeared since the plan is not created
 * again; after an interruption, planning and applying again goes on where it ended.
 *
 * A change the service refuses does not keep the others from being made; anything else (a key, the network, the
 * signal) ends it. Either way it throws `ApplyError`, with what was done.
 *
 * @example
 * const changes = await plan(client, assetId, definition);
 * const { applied, skipped } = await apply(client, changes, { replace: true });
 */
export async function apply(
  client: DataQualityClient,
  changes: Changes,
  { prune = false, replace = false, concurrency = 8, onProgress, signal }: ApplyOptions = {},
): Promise<Applied> {
  const all = [...changes.create, ...changes.update, ...changes.replace, ...changes.delete];
  const isPermitted = ({ requires }: Change): boolean =>
    requires === undefined || { prune, replace }[requires];
  const permitted = all.filter(isPermitted);
  const skipped = all.filter((change) => !isPermitted(change));
  const applied: Change[] = [];
  const failed: { change: Change; error: unknown }[] = [];
  const report = (): Applied => {
    const ended = new Set([...applied, ...failed.map(({ change }) => change)]);
    return { applied, skipped, failed, pending: permitted.filter((change) => !ended.has(change)) };
  };
  const tell = (event: Pick<ApplyEvent, 'change' | 'outcome' | 'error'>): void =>
    onProgress?.({ ...event, done: applied.length + failed.length, total: permitted.length });

  // One after the other within a column: the order of creation distinguishes metrics, and nothing is deleted
  // before what takes its place exists.
  const queues = Map.groupBy(permitted, ({ table_path, column_name }) => placeKey(table_path, column_name));
  const work = async (queue: readonly ChangeToMake[], created: CreatedSincePlan): Promise<void> => {
    for (const change of queue) {
      try {
        await makeChange(client, changes.assetId, change, created, signal);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        failed.push({ change, error });
        tell({ change, outcome: 'failed', error });
        return;
      }
      applied.push(change);
      tell({ change, outcome: 'applied' });
    }
  };
  try {
    const isCreating = permitted.some(({ action }) => action === 'create' || action === 'replace');
    const existing = isCreating
      ? await listExisting(client, changes.assetId, { concurrency, signal })
      : undefined;
    const created = new CreatedSincePlan(changes, existing);
    await inParallel(queues.values(), concurrency, (queue) => work(queue, created));
  } catch (error) {
    throw new ApplyError(report(), error);
  }
  const [refused] = failed;
  if (refused !== undefined) throw new ApplyError(report(), refused.error);
  return report();
}

/** Whether the service refused this one change, so that it says nothing about the others. */
function isRefusal(error: unknown): boolean {
  return (
    isApiError(error) && [400, 404, 409, 422].includes(error.status) && !isApiError(error, 'ASSET_NOT_FOUND')
  );
}
