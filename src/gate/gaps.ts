import type { CheckResults } from './build-verdict.ts';
import type { Demand } from './demand.ts';
import type { Check, Problem } from './verdict.ts';

/** What was asked for and can't have been looked at: where nothing is checked, nothing is known. */
export function* findGaps(demand: Demand, { checks, metrics, problems }: CheckResults): Generator<Problem> {
  const asked = [demand.rules, demand.freshness, demand.metrics].some((selection) => selection !== undefined);
  if (!asked || demand.assetIds.length === 0) {
    yield {
      reason: 'nothing was selected: no asset, or neither rules nor freshness nor metrics',
      exitCode: 6,
    };
  }
  // A list that failed says nothing about what it would have held.
  if (demand.assetIds.length === 0 || problems.length > 0) return;
  if (demand.rules) {
    yield* findMissing('rule', demand.assetIds, checks, demand.rules.ids, ({ rule }) => rule.uuid);
  }
  if (demand.metrics) {
    yield* findMissing('metric', demand.assetIds, metrics, demand.metrics.ids, ({ metric }) => metric.id);
  }
}

/** Ids may lie in any of the assets; without ids, each asset must bring something to look at. */
function* findMissing<Item extends Check>(
  kind: 'rule' | 'metric',
  assetIds: readonly string[],
  items: readonly Item[],
  ids: readonly string[] | undefined,
  idOf: (item: Item) => string,
): Generator<Problem> {
  const active = items.filter(({ outcome }) => outcome !== 'skipped');
  if (ids === undefined) {
    const covered = new Set(active.map(({ assetId }) => assetId));
    for (const assetId of assetIds.filter((id) => !covered.has(id))) {
      yield { assetId, reason: `no active ${kind} of asset ${assetId} was selected`, exitCode: 6 };
    }
    return;
  }
  if (active.length === 0) yield { reason: `no active ${kind} was selected`, exitCode: 6 };
  const found = new Set(items.map(idOf));
  for (const id of ids.filter((wanted) => !found.has(wanted))) {
    yield { reason: `no selected asset has a ${kind} ${id}`, exitCode: 4 };
  }
}
