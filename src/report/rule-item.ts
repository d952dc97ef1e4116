import type { ValidityCheckResult } from '../index.ts';
import { displayText } from '../judgement/field.ts';
import { formatPercent } from '../judgement/percent.ts';
import { severityOf } from '../judgement/severity.ts';
import type { Anchors } from './anchors.ts';
import { drawChart } from './chart.ts';
import { describeDemand } from './demand.ts';
import { changeOf, failingSince, outcomeOfCheck } from './history.ts';
import { html, type Markup } from './markup.ts';
import type { Point } from './points.ts';
import type { ReportedRule } from './report.ts';
import { samplesTable } from './samples.ts';
import { drawStrip } from './strip.ts';
import { formatMoment, parseTimestamp } from './time.ts';
import { badge, describeResult, moment, nameOfRule } from './format.ts';

/** How a rule is drawn. */
export interface RuleView {
  readonly anchors: Anchors;
  /** The id of the element of its table. */
  readonly tableAnchor: string;
  /** Most points of its history. */
  readonly mostPoints: number;
  /** What can be done with it. */
  readonly actions?: Markup | undefined;
}

/**
 * Draws one rule: a line that shows its state, and below it, when opened, what it demands and its history.
 */
export function ruleItem(
  reported: ReportedRule,
  { anchors, tableAnchor, mostPoints, actions }: RuleView,
): Markup {
  const { rule, outcome, results, reason } = reported;
  const [latest] = results;
  const anchor = anchors.of('rule', reported, rule.uuid);
  const severity = severityOf(rule.severity);
  const checked = parseTimestamp(latest?.checked_at) ?? 0;
  const column = displayText(rule.column_name);
  return html`<details
    class="item rule"
    id="${anchor}"
    data-status="${outcome}"
    data-severity="${severity}"
    data-table="${rule.table_path}"
    data-at="${Math.round(checked / 60_000)}"
    data-share="${latest?.invalid_percent ?? 0}"
  >
    <summary>
      ${badge(outcome)}
      <span class="name"
        ><b>${nameOfRule(rule)}</b> ${changeOf(reported) === 'new' && html`<em class="new">new</em>`}
        <small>${rule.rule_type}${column !== '' && ` · ${column}`} · ${severity}</small></span
      >
      <span class="found">${describeResult(latest, outcome, reason)}</span>
      ${drawStrip(reported)}
    </summary>
    <div class="body">
      ${actions} ${facts(reported, anchor, tableAnchor)} ${historyChart(reported, mostPoints)}
      ${samplesTable(reported, actions !== undefined)}
    </div>
  </details>`;
}

function facts(reported: ReportedRule, anchor: string, tableAnchor: string): Markup {
  const { rule, results, outcome } = reported;
  const { alert_threshold_percent: threshold, treat_null_as_valid: nullsPass, description } = rule;
  const since = outcome === 'failed' ? failingSince(reported) : undefined;
  return html`<dl>
    ${typeof description === 'string' && description !== '' && fact('About', html`${description}`)}
    ${fact('Demands', describeDemand(reported))}
    ${fact('Threshold', html`${typeof threshold === 'number' ? `fails above ${threshold} % invalid rows` : 'no row may be invalid'}`)}
    ${typeof nullsPass === 'boolean' && fact('Null values', html`${nullsPass ? 'pass' : 'do not pass'}`)}
    ${since !== undefined && fact('Failing since', html`${formatMoment(since)}`)}
    ${fact('Last checked', html`${moment(results[0]?.checked_at)} UTC${typeof rule.check_interval === 'string' && `, ${rule.check_interval}`}`)}
    ${fact('Table', html`<a href="#${tableAnchor}">${rule.table_path}</a>`)}
    ${fact('Id', html`<a href="#${anchor}"><code>${rule.uuid}</code></a>`)}
  </dl>`;
}

function fact(name: string, content: Markup): Markup {
  return html`<div>
    <dt>${name}</dt>
    <dd>${content}</dd>
  </div>`;
}

function historyChart(reported: ReportedRule, mostPoints: number): Markup | undefined {
  const { rule, results } = reported;
  const points = results.flatMap((result) => toPoint(reported, result) ?? []).toReversed();
  if (points.length === 0) return undefined;
  const { alert_threshold_percent: limit } = rule;
  const threshold = typeof limit === 'number' ? limit : undefined;
  const greatest = Math.max(...points.map(({ value }) => value ?? 0));
  const label = `Share of invalid rows in the last ${results.length} checks, at most ${formatPercent(greatest)}`;
  return html`<figure>
    <figcaption>
      Invalid rows
      <ul class="legend">
        ${points.some(({ outcome }) => outcome === 'failed') && html`<li class="key-failed">failed</li>`}
        ${threshold !== undefined && html`<li class="key-limit">threshold ${threshold} %</li>`}
      </ul>
    </figcaption>
    ${drawChart({ label, lines: [points], unit: '\u{a0}%', threshold, fromZero: true, mostPoints })}
  </figure>`;
}

function toPoint(reported: ReportedRule, result: ValidityCheckResult): Point | undefined {
  const at = parseTimestamp(result.checked_at);
  if (at === undefined) return undefined;
  const { invalid_percent: percent, invalid_count: count } = result;
  const outcome = outcomeOfCheck(reported, result);
  return {
    at,
    // A check that could not be evaluated found nothing; its mark is on the ground.
    value: typeof percent === 'number' ? percent : outcome === 'passed' ? undefined : 0,
    outcome,
    count: typeof count === 'number' ? count : undefined,
  };
}
