import { judgeCapture } from '../judgement/capture.ts';
import { judgeCheck } from '../judgement/check.ts';
import type { CheckOutcome } from '../judgement/outcome.ts';
import { html, type Markup } from '../report/markup.ts';
import type { AssetReport, Report } from '../report/report.ts';
import { formatMoment, parseTimestamp } from '../report/time.ts';
import { badge, compactNumber, describeResult, nameOfMetric, nameOfRule, placeOf } from '../report/format.ts';

/** More would hide what is new. */
const mostShown = 15;

interface Entry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly outcome: CheckOutcome;
  readonly link: string;
  readonly name: string;
  readonly place: string;
  readonly found: string;
}

/** Shows what checks and captures found last, the newest first. */
export function latestResults({ assets }: Report): Markup {
  const entries = assets
    .flatMap((asset) => [...checksOf(asset), ...capturesOf(asset)])
    .toSorted((a, b) => b.at - a.at)
    .slice(0, mostShown);
  if (entries.length === 0) return html`<p class="note">Nothing was checked yet.</p>`;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Results">
    <table class="log">
      <thead>
        <tr>
          <th scope="col">Time (UTC)</th>
          <th scope="col">Outcome</th>
          <th scope="col">Check</th>
          <th scope="col">Found</th>
        </tr>
      </thead>
      <tbody>
        ${entries.map(
          ({ at, outcome, link, name, place, found }) =>
            html`<tr>
              <td>${formatMoment(at)}</td>
              <td>${badge(outcome)}</td>
              <td><a href="#${link}">${name}</a> <small>${place}</small></td>
              <td>${found}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function checksOf({ rules }: AssetReport): readonly Entry[] {
  return rules.flatMap(({ rule, results }) =>
    results.slice(0, mostShown).flatMap((result) => {
      const at = parseTimestamp(result.checked_at);
      if (at === undefined) return [];
      const { outcome, reason } = judgeCheck(result, { rule });
      const link = `rule-${rule.uuid}`;
      const found = describeResult(result, outcome, reason);
      return [{ at, outcome, link, name: nameOfRule(rule), place: placeOf(rule), found }];
    }),
  );
}

function capturesOf({ metrics }: AssetReport): readonly Entry[] {
  return metrics.flatMap(({ metric, series }) =>
    series.flatMap(({ group, snapshots }) =>
      snapshots.slice(-mostShown).flatMap((snapshot) => {
        const at = parseTimestamp(snapshot.captured_at);
        if (at === undefined) return [];
        const { outcome, reason } = judgeCapture({ snapshots: [snapshot] }, { metric });
        const value = typeof snapshot.value === 'number' ? compactNumber(snapshot.value) : 'no value';
        const found = [value, group, reason].filter((part) => part !== undefined).join(', ');
        return [
          {
            at,
            outcome,
            link: `metric-${metric.id}`,
            name: nameOfMetric(metric),
            place: placeOf(metric),
            found,
          },
        ];
      }),
    ),
  );
}
