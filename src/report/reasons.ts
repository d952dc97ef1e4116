import { html, type Markup } from './markup.ts';
import type { CheckOutcome } from '../judgement/outcome.ts';
import type { Report } from './report.ts';
import { badge, describeResult, placeOf } from './wording.ts';

/** More would hide the rest of the page. */
const mostReasons = 5;

/** Why the verdict is not better, the most severe reason first. */
export function reasons(report: Report): Markup | undefined {
  const all = (['failed', 'inconclusive'] as const).flatMap((outcome) => reasonsOf(report, outcome));
  if (all.length === 0) return undefined;
  const rest = all.length - mostReasons;
  return html`<ul class="reasons">
    ${all.slice(0, mostReasons).map(({ outcome, text }) => html`<li>${badge(outcome)} ${text}</li>`)}
    ${rest > 0 && html`<li>and ${rest} more</li>`}
  </ul>`;
}

function reasonsOf({ rules, metrics, freshness }: Report, outcome: CheckOutcome) {
  return [
    ...(freshness?.outcome === outcome ? [freshness.reason ?? 'freshness'] : []),
    ...rules
      .filter((reported) => reported.outcome === outcome)
      .map(
        ({ rule, results, reason }) =>
          `${rule.name ?? rule.rule_type ?? 'rule'} (${placeOf(rule)}): ${describeResult(results[0], reason)}`,
      ),
    ...metrics
      .filter((reported) => reported.outcome === outcome)
      .map(
        ({ metric, reason }) =>
          `${metric.metric_type ?? 'metric'} of ${placeOf(metric)}: ${reason ?? 'never captured'}`,
      ),
  ].map((text) => ({ outcome, text }));
}
