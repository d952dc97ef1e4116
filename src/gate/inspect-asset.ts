import { checkFreshness } from './check-freshness.ts';
import { checkMetrics } from './check-metrics.ts';
import { checkRules } from './check-rules.ts';
import { type CheckResults, codeOfError } from './build-verdict.ts';

import { type Inspection, withoutResult } from './inspection.ts';
import { selectsMetric, selectsRule } from './selection.ts';
import type { Slots } from './slots.ts';
import type { MetricCheck, Problem, RuleCheck } from './verdict.ts';

/** Looks at one asset: its freshness first, as what is waited for is what must be checked. */
export async function inspectAsset(
  inspection: Inspection,
  assetId: string,
  slots: Slots,
): Promise<CheckResults> {
  const { client, demand, deadline, concurrency } = inspection;
  const problems: Problem[] = [];
  const listed = async <Item>(what: string, list: () => Promise<Item[]>): Promise<Item[]> => {
    try {
      return await list();
    } catch (thrown) {
      const { reason, error } = withoutResult(deadline, thrown);
      problems.push({
        assetId,
        reason: `the ${what} of asset ${assetId} could not be listed: ${reason}`,
        error,
        exitCode: codeOfError(error),
      });
      return [];
    }
  };
  const page = { limit: 100 };
  const options = { concurrency, signal: deadline.signal };
  const inspectRules = async (): Promise<RuleCheck[]> => {
    const { rules: selection } = demand;
    if (selection === undefined) return [];
    const rules = await listed('rules', () => client.validity.list(assetId, page, options).toArray());
    const selected = rules.filter((rule) => selectsRule(selection, rule));
    return await checkRules(inspection, assetId, selected);
  };
  const inspectMetrics = async (): Promise<MetricCheck[]> => {
    const { metrics: selection } = demand;
    if (selection === undefined) return [];
    const metrics = await listed('metrics', () => client.metrics.list(assetId, page, options).toArray());
    const selected = metrics.filter((metric) => selectsMetric(selection, metric));
    return await checkMetrics(inspection, assetId, selected);
  };

  // Outside the slots: an asset that is waited for must not hold up the others.
  const freshness = demand.freshness ? [await checkFreshness(inspection, assetId, demand.freshness)] : [];
  return await slots.run(async () => ({
    freshness,
    checks: await inspectRules(),
    metrics: await inspectMetrics(),
    problems,
  }));
}
