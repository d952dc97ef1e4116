import type { Markup } from './markup.ts';
import type { AssetReport, ReportedMetric, ReportedRule } from './report.ts';

/** What can be done with what is reported, on a page that can do something; a report in a file cannot. */
export interface Actions {
  /** What can be done with a rule. */
  readonly ruleActions?: ((asset: AssetReport, rule: ReportedRule) => Markup) | undefined;
  /** What can be done with a metric. */
  readonly metricActions?: ((asset: AssetReport, metric: ReportedMetric) => Markup) | undefined;
}
