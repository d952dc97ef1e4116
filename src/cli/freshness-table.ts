import type { Freshness } from '../index.ts';
import { describeDuration } from './duration.ts';
import { judgeFreshness } from '../judgement/freshness.ts';
import { paintedBy } from './status.ts';
import { table } from './table.ts';

/** The freshness of an asset as a table. */
export function freshnessTable(freshness: Freshness): string {
  const age = freshness.data_age_minutes;
  const { outcome } = judgeFreshness(freshness);
  return table(
    ['ASSET', 'STATUS', 'AGE', 'SLA', 'THRESHOLD', 'LAST UPDATED'],
    [
      [
        freshness.asset,
        paintedBy(outcome, freshness.status),
        typeof age === 'number' ? describeDuration(age * 60_000) : undefined,
        freshness.sla_status,
        freshness.sla_threshold,
        freshness.last_updated,
      ],
    ],
  );
}
