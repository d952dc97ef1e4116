import { displayText } from '../judgement/field.ts';
import type { AssetReport, Report } from '../report/report.ts';
import { describeResult, nameOfMetric, nameOfRule, placeOf } from '../report/format.ts';

/** Lines of each kind that a report has at most. */
const mostLines = 100;

/** Writes a report as Markdown for a model: what needs attention first, one line per rule and metric. */
export function renderReportText(report: Report): string {
  const { failed, inconclusive, tolerated, passed, skipped } = report.counts;
  return [
    `# Data quality: ${report.outcome}`,
    '',
    `${failed} failed, ${inconclusive} unclear, ${tolerated} tolerated, ${passed} passed, ${skipped} inactive. Collected ${report.generatedAt}.`,
    ...report.assets.flatMap(renderAsset),
    '',
  ].join('\n');
}

function renderAsset({ assetId, assetName, rules, metrics, freshness, lineage }: AssetReport): string[] {
  const name = assetName === undefined ? '' : `${oneLine(assetName)}, `;
  const freshnessLines =
    freshness === undefined
      ? ['No freshness threshold is configured.']
      : [
          `${freshness.outcome}${freshness.reason === undefined ? '' : `: ${oneLine(freshness.reason)}`}, last updated ${oneLine(freshness.reading?.last_updated ?? 'at an unknown time')}.`,
        ];
  const ruleLines = rules.map(({ rule, outcome, results, reason }) => {
    const found = describeResult(results[0], outcome, reason);
    return `- ${outcome} (${displayText(rule.severity)}): ${nameOfRule(rule)} on ${placeOf(rule)}, ${found} [${rule.uuid}]`;
  });
  const metricLines = metrics.map(({ metric, outcome, series, reason }) => {
    const latest = series.map(({ group, snapshots }) => {
      const value = displayText(snapshots.at(-1)?.value) || 'no value';
      return group === undefined ? value : `${group}: ${value}`;
    });
    const found = [latest.slice(0, 5).join(', '), reason].filter(Boolean).join('; ') || 'never captured';
    return `- ${outcome}: ${nameOfMetric(metric)} on ${placeOf(metric)}, ${found} [${metric.id}]`;
  });
  return [
    ...section(`Asset ${name}${assetId}`, []),
    ...section('Freshness', freshnessLines),
    ...section(`Rules (${rules.length})`, ruleLines),
    ...section(`Metrics (${metrics.length})`, metricLines),
    ...(lineage === undefined ? [] : section('Lineage', [`${lineage.nodes.length} models and sources.`])),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  const more = lines.length > mostLines ? [`- and ${lines.length - mostLines} more`] : [];
  return ['', `## ${oneLine(title)}`, '', ...lines.slice(0, mostLines).map(oneLine), ...more];
}

/** A line break in a name could begin what looks like a section of ours. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ');
}
