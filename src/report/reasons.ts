import { html, type Markup } from './markup.ts';
import type { Report, Standing } from './report.ts';
import { badge, describeResult, placeOf } from './wording.ts';

/** More would hide the rest of the page. */
const mostReasons = 5;

/** Why the verdict is no better, the gravest first. */
export function reasons(report: Report): Markup | undefined {
  const all = (['failed', 'inconclusive'] as const).flatMap((standing) => reasonsOf(report, standing));
  if (all.length === 0) return undefined;
  const rest = all.length - mostReasons;
  return html`<ul class="reasons">
    ${all.slice(0, mostReasons).map(({ standing, text }) => html`<li>${badge(standing)} ${text}</li>`)}
    ${rest > 0 && html`<li>and ${rest} more</li>`}
  </ul>`;
}

function reasonsOf({ rules, metrics, freshness }: Report, standing: Standing) {
  const freshnessText = `The data is ${freshness?.reading?.status ?? 'of unknown freshness'}`;
  return [
    ...(freshness?.standing === standing ? [freshness.reason ?? freshnessText] : []),
    ...rules
      .filter((reported) => reported.standing === standing)
      .map(
        ({ rule, results, reason }) =>
          `${rule.name ?? rule.rule_type ?? 'rule'} (${placeOf(rule)}): ${describeResult(results[0], reason)}`,
      ),
    ...metrics
      .filter((reported) => reported.standing === standing)
      .map(
        ({ metric, reason }) =>
          `${metric.metric_type ?? 'metric'} of ${placeOf(metric)}: ${reason ?? (standing === 'failed' ? 'the latest value is an anomaly' : 'no verdict on the latest value')}`,
      ),
  ].map((text) => ({ standing, text }));
}
