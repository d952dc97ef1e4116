import type { ResultRecord, SnapshotRecord } from '../service/store.ts';
import type { Delivery } from './outbox.ts';
import type { Run } from './state.ts';

/** Says that a rule or metric runs because its interval has passed. */
export interface Claim {
  readonly table: 'rules' | 'metrics';
  readonly uuid: string;
  /** When it ran last as far as the runner knows, in ms since 1970; null if never. */
  readonly ranAt: number | null;
  /** When it runs, in ms since 1970. */
  readonly now: number;
}

/** What is stored together with an outcome, in its transaction: all of it or nothing survives. */
export interface OutcomeListener {
  /** Queues the alerts that a result is worth. */
  result(run: Run, result: ResultRecord): Promise<readonly Delivery[]>;
  /** Queues the alerts that a capture is worth. */
  capture(run: Run, snapshots: readonly SnapshotRecord[]): Promise<readonly Delivery[]>;
  /** Called with what was queued as soon as it is stored. */
  queued(deliveries: readonly Delivery[]): void;
}

/** What the storing of outcomes depends on. */
export interface OutcomeOptions {
  readonly listener?: OutcomeListener | undefined;
  readonly claim?: Claim | undefined;
}

/** Somebody else has stored the outcome of this interval. */
export class AlreadyRun extends Error {
  override readonly name = 'AlreadyRun' as const;
}

/** Marks the interval as run, once: throws {@link AlreadyRun} if it was. */
export async function redeem(run: Run, { table, uuid, ranAt, now }: Claim): Promise<void> {
  const redeemed = await run(
    `UPDATE ${table} SET ran_at = $2 WHERE uuid = $1 AND ran_at IS NOT DISTINCT FROM $3::FLOAT8 RETURNING uuid`,
    uuid,
    now,
    ranAt,
  );
  if (redeemed.length === 0) throw new AlreadyRun(uuid);
}
