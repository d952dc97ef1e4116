import { exitCode } from '../judgement/exit-code.ts';
import type { ListedAsset } from './inspect-asset.ts';
import type { ResolvedGateOptions } from './resolve-options.ts';
import {
  type Criterion,
  isActive,
  isSelected,
  type LabelsOfItem,
  metricCriteria,
  ruleCriteria,
} from './selection.ts';
import type { Problem } from './verdict.ts';

/**
 * Finds what was selected and brought nothing to check: if nothing is checked, nothing is known. Each name of a
 * selection must bring an active rule or metric of any asset; without ids, each asset must bring one too.
 */
export function* findUnmatched(
  { assetIds, rules, freshness, metrics }: ResolvedGateOptions,
  listed: readonly ListedAsset[],
  labels: LabelsOfItem,
): Generator<Problem> {
  const expected = freshness?.expectations;
  const asked = [rules, metrics, expected?.length === 0 ? undefined : freshness].some(
    (selection) => selection !== undefined,
  );
  if (!asked || assetIds.length === 0) {
    yield {
      reason: 'nothing was selected: no asset, or neither rules nor freshness nor metrics',
      exitCode: exitCode.inconclusive,
    };
    return;
  }
  const isUnchecked = (assetId: string): boolean =>
    rules === undefined &&
    metrics === undefined &&
    expected?.every((expectation) => expectation.assetId !== assetId) === true;
  for (const assetId of assetIds.filter(isUnchecked)) {
    yield { assetId, ...nothing(`nothing is expected of the freshness of asset ${assetId}`) };
  }
  if (rules !== undefined) yield* findUnmatchedIn('rule', listed, 'rules', ruleCriteria(rules, labels));
  if (metrics !== undefined)
    yield* findUnmatchedIn('metric', listed, 'metrics', metricCriteria(metrics, labels));
}

function* findUnmatchedIn(
  kind: 'rule' | 'metric',
  assets: readonly ListedAsset[],
  part: 'rules' | 'metrics',
  criteria: readonly Criterion[],
): Generator<Problem> {
  const lists = assets.map((asset) => asset[part]);
  // A list that failed could have contained anything.
  if (!lists.every((list) => list !== undefined)) return;
  const items = lists.flat();
  const active = items.filter((item) => isActive(item) && isSelected(criteria, item));
  for (const criterion of criteria) {
    for (const value of criterion.values.filter(
      (name) => !active.some((item) => criterion.fits(item, name)),
    )) {
      yield explain(criterion, value, items, criteria);
    }
  }
  const byId = criteria.some((criterion) => criterion.byId);
  if (byId) {
    if (active.length === 0) yield nothing(`no active ${kind} was selected`);
    return;
  }
  for (const { assetId, [part]: list = [] } of assets) {
    if (!list.some((item) => active.includes(item))) {
      yield { assetId, ...nothing(`no active ${kind} of asset ${assetId} was selected`) };
    }
  }
}

function explain(
  { what, byId, fits }: Criterion,
  value: string,
  items: readonly unknown[],
  criteria: readonly Criterion[],
): Problem {
  const named = items.filter((item) => fits(item, value));
  const name = byId ? `${what} ${value}` : `${what} "${value}"`;
  if (named.length === 0) {
    const code = byId ? exitCode.notFound : exitCode.inconclusive;
    return { reason: `no selected asset has a ${name}`, exitCode: code };
  }
  const selected = named.filter((item) => isSelected(criteria, item));
  if (selected.length === 0) return nothing(`no ${name} fits the rest of the selection`);
  return nothing(byId ? `${name} is inactive` : `every selected ${name} is inactive`);
}

function nothing(reason: string): Problem {
  return { reason, exitCode: exitCode.inconclusive };
}
