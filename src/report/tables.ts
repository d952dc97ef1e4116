import { displayText } from '../judgement/field.ts';
import type { CheckOutcome } from '../judgement/outcome.ts';
import { outcomeOrder } from './format.ts';
import type { AssetReport, Report, ReportedMetric, ReportedRule } from './report.ts';

/** A table with everything that is checked of it. */
export interface ReportedTable {
  readonly asset: AssetReport;
  readonly path: string;
  readonly rules: readonly ReportedRule[];
  readonly metrics: readonly ReportedMetric[];
  /** The outcome that matters most. */
  readonly outcome: CheckOutcome;
}

/** The tables of all assets; those with the most failures first. */
export function tablesOf({ assets }: Report): readonly ReportedTable[] {
  return assets
    .flatMap((asset) => {
      const rules = Map.groupBy(asset.rules, ({ rule }) => displayText(rule.table_path));
      const metrics = Map.groupBy(asset.metrics, ({ metric }) => displayText(metric.table_path));
      const paths = new Set([...rules.keys(), ...metrics.keys()]);
      return [...paths].map((path) => toTable(asset, path, rules.get(path) ?? [], metrics.get(path) ?? []));
    })
    .toSorted(
      (a, b) =>
        outcomeOrder.indexOf(a.outcome) - outcomeOrder.indexOf(b.outcome) ||
        countOf(b, 'failed') - countOf(a, 'failed') ||
        (a.path < b.path ? -1 : 1),
    );
}

/** What an asset is called: its name, or what the paths of its tables have in common, or else its id. */
export function nameOfAsset({ assetName, assetId, rules, metrics }: AssetReport): string {
  if (assetName !== undefined) return assetName;
  const definitions = [...rules.map(({ rule }) => rule), ...metrics.map(({ metric }) => metric)];
  const paths = definitions.map((definition) => displayText(definition.table_path).split('.'));
  const [first = []] = paths;
  const end = first.findIndex((part, at) => paths.some((path) => path[at] !== part));
  return (end === -1 ? first : first.slice(0, end)).join('.') || assetId;
}

/** How many rules and metrics of a table ended in one way. */
export function countOf({ rules, metrics }: ReportedTable, wanted: CheckOutcome): number {
  return [...rules, ...metrics].filter(({ outcome }) => outcome === wanted).length;
}

function toTable(
  asset: AssetReport,
  path: string,
  rules: readonly ReportedRule[],
  metrics: readonly ReportedMetric[],
): ReportedTable {
  const outcomes = new Set([...rules, ...metrics].map(({ outcome }) => outcome));
  const outcome = outcomeOrder.find((candidate) => outcomes.has(candidate)) ?? 'skipped';
  return { asset, path, rules, metrics, outcome };
}
