import { DataQualityError } from '../errors/data-quality-error.ts';
import type { Change } from './changes.ts';

/** What `apply` did with the changes of a plan. */
export interface Applied {
  /** Made, or found made already. */
  readonly applied: readonly Change[];
  /** Left alone: each `requires` a permission that was not given. */
  readonly skipped: readonly Change[];
  /** Refused by the service, each for a reason of its own. */
  readonly failed: readonly { readonly change: Change; readonly error: unknown }[];
  /** Not begun, or cut short: planning and applying again takes them up. */
  readonly pending: readonly Change[];
}

/**
 * Not every change that was permitted could be made; `applied` says which ones were. Planning and applying again
 * goes on from there. `cause` is what ended it, else the first refusal.
 */
export class ApplyError extends DataQualityError {
  override readonly name = 'ApplyError' as const;
  readonly code = 'APPLY_FAILED' as const;
  /** What was done, what failed, and what was not begun. */
  readonly applied: Applied;

  constructor(applied: Applied, cause: unknown) {
    const { applied: made, failed, pending } = applied;
    const total = made.length + failed.length + pending.length;
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${made.length} of ${total} changes were made, ${failed.length} were refused: ${reason}`, {
      cause,
    });
    this.applied = applied;
  }
}
