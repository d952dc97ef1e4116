import type { Metric } from '../contract/metrics-responses.ts';
import type { ValidityRule } from '../contract/validity-responses.ts';
import { asRecord } from '../judgement/field.ts';
import { type CheckResults, codeOfError } from './build-verdict.ts';
import { checkFreshness } from './check-freshness.ts';
import { checkMetrics } from './check-metrics.ts';
import { checkRules } from './check-rules.ts';
import { inconclusive, type Inspection, labelsOfItem } from './inspection.ts';
import { isSelected, metricCriteria, ruleCriteria } from './selection.ts';
import type { Problem } from './verdict.ts';

/** The rules and metrics of an asset; absent if they were not asked for or could not be listed. */
export interface ListedAsset {
  readonly assetId: string;
  readonly rules?: readonly ValidityRule[];
  readonly metrics?: readonly Metric[];
}

/** What was found at one asset. */
export interface AssetResults extends CheckResults {
  readonly listed: ListedAsset;
}

/** Inspects one asset: its freshness first, as what is waited for is what must be checked. */
export async function inspectAsset(inspection: Inspection, assetId: string): Promise<AssetResults> {
  const { client, options, deadline } = inspection;
  const problems: Problem[] = [];
  const listed = async <Item extends ValidityRule | Metric>(
    what: string,
    list: () => Promise<Item[]>,
  ): Promise<Item[] | undefined> => {
    const fail = (reason: string | undefined, error?: unknown): undefined => {
      problems.push({
        assetId,
        reason: `the ${what} of asset ${assetId} could not be listed: ${reason}`,
        ...(error === undefined ? {} : { error }),
        exitCode: codeOfError(error),
      });
    };
    try {
      const items = await inspection.limit(list);
      // Without validation of responses, an entry can be anything; one that is not an object can't be checked.
      const odd = items.filter((item) => Object.keys(asRecord(item)).length === 0).length;
      if (odd > 0) return fail(`${odd} of its ${items.length} entries cannot be read`);
      for (const item of items) inspection.labels.set(item, options.labels(item, assetId));
      return items;
    } catch (thrown) {
      const { reason, error } = inconclusive(deadline, thrown);
      return fail(reason, error);
    }
  };
  const labels = (item: unknown) => labelsOfItem(inspection, item);
  const page = { limit: 100 };
  const { signal } = deadline;
  const inspectRules = async () => {
    const { rules: selection } = options;
    if (selection === undefined) return { checks: [], rules: undefined };
    const rules = await listed('rules', () => client.validity.list(assetId, page, { signal }).toArray());
    const criteria = ruleCriteria(selection, labels);
    const selected = (rules ?? []).filter((rule) => isSelected(criteria, rule));
    return { checks: await checkRules(inspection, assetId, selected), rules };
  };
  const inspectMetrics = async () => {
    const { metrics: selection } = options;
    if (selection === undefined) return { captures: [], metrics: undefined };
    const metrics = await listed('metrics', () => client.metrics.list(assetId, page, { signal }).toArray());
    const criteria = metricCriteria(selection, labels);
    const selected = (metrics ?? []).filter((metric) => isSelected(criteria, metric));
    return { captures: await checkMetrics(inspection, assetId, selected), metrics };
  };

  const freshness = options.freshness ? await checkFreshness(inspection, assetId, options.freshness) : [];
  const [{ checks, rules }, { captures, metrics }] = await Promise.all([inspectRules(), inspectMetrics()]);
  return {
    freshness,
    checks,
    metrics: captures,
    problems,
    listed: { assetId, ...(rules && { rules }), ...(metrics && { metrics }) },
  };
}
