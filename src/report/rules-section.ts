import { judgeCheck } from '../judgement/check.ts';
import type { CheckOutcome } from '../judgement/outcome.ts';
import { html, type Markup } from './markup.ts';
import type { Report, ReportedRule } from './report.ts';
import { badge, describeResult, moment, placeOf, plural } from './wording.ts';

/** The rules by severity, each with its latest result and the strip of its earlier ones. */
export function rulesSection({ rules }: Report): Markup {
  const bySeverity = Map.groupBy(rules, ({ rule }) => rule.severity ?? 'no severity');
  return html`<section aria-labelledby="rules">
    <h2 id="rules">Rules</h2>
    ${rules.length === 0 && html`<p>The asset has no rules.</p>`}
    ${[...bySeverity].map(
      ([severity, members]) =>
        html`<h3 id="rules-${severity}">
            ${capital(severity)} <small>${plural(members.length, 'rule')}</small>
          </h3>
          <table role="table" aria-labelledby="rules-${severity}">
            <thead role="rowgroup">
              <tr role="row">
                ${columns.map((title) => html`<th role="columnheader" scope="col">${title}</th>`)}
              </tr>
            </thead>
            <tbody role="rowgroup">
              ${members.map(ruleRow)}
            </tbody>
          </table>`,
    )}
  </section>`;
}

const columns = ['Status', 'Rule', 'Found', 'Checked (UTC)', 'History'];

function ruleRow({ rule, outcome, results, reason }: ReportedRule): Markup {
  const [latest] = results;
  return html`<tr role="row">
    <td role="cell">${badge(outcome)}</td>
    <th role="rowheader" scope="row">
      ${rule.name ?? rule.rule_type ?? rule.uuid}<small
        >${rule.name === null || rule.name === undefined ? '' : `${rule.rule_type ?? ''} `}${placeOf(rule)}</small
      >
    </th>
    <td role="cell">${describeResult(latest, reason)}</td>
    <td role="cell">${moment(latest?.checked_at)}</td>
    <td role="cell">${strip(results)}</td>
  </tr> `;
}

/** One mark per check, the oldest first; a failed one is also taller. */
function strip(results: ReportedRule['results']): Markup {
  if (results.length === 0) return html`–`;
  const outcomes = results.map((result) => judgeCheck(result).outcome).toReversed();
  const failed = outcomes.filter((outcome) => outcome === 'failed').length;
  const passed = outcomes.filter((outcome) => outcome === 'passed').length;
  const others = outcomes.length - failed - passed;
  const label = `${plural(outcomes.length, 'check')}: ${passed} passed, ${failed} failed${others > 0 ? `, ${others} unclear` : ''}`;
  return html`<span class="strip" role="img" aria-label="${label}">${runs(outcomes).map(mark)}</span>`;
}

interface Run {
  readonly outcome: CheckOutcome;
  length: number;
}

/** Equal results in a row are one mark as long as all of them: a year of good checks takes a line. */
function runs(outcomes: readonly CheckOutcome[]): readonly Run[] {
  const found: Run[] = [];
  for (const outcome of outcomes) {
    const last = found.at(-1);
    if (last !== undefined && last.outcome === outcome) last.length += 1;
    else found.push({ outcome, length: 1 });
  }
  return found;
}

function mark({ outcome, length }: Run): Markup {
  const kind = outcome === 'passed' ? 'p' : outcome === 'failed' ? 'f' : 'u';
  return html`<i class="${kind}" ${length > 1 && html` style="--n:${length}"`}></i>`;
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
