import { formatPercent } from '../judgement/percent.ts';
import { judgeSla } from '../judgement/sla.ts';
import { html, type Markup } from './markup.ts';
import type { FreshnessTimes, Sla } from './sla.ts';
import { formatDurations } from './time.ts';
import { badge, moment } from './format.ts';

const minuteMs = 60_000;

/** Draws how much of the past weeks an asset was fresh, and what is left of its error budget. */
export function slaPart(sla: Sla): Markup {
  const { fresh_percent: fresh, target_percent: target, longest_breach: longest, error_budget: budget } = sla;
  const { outcome, reason } = judgeSla(sla);
  return html`<p class="sla">
      ${badge(outcome)} <b class="value">${fresh === null ? 'unknown' : `${formatPercent(fresh)} fresh`}</b>
      <small>over ${sla.weeks.length} weeks; target ${target} %</small>
    </p>
    ${outcome === 'inconclusive' && html`<p>${reason}</p>`} ${fresh !== null && weeksTable(sla)}
    ${longest !== null && html`<p>Longest breach: ${lasting(longest.minutes)}, ${moment(longest.from)} to ${moment(longest.until)} UTC.</p>`}
    ${budget !== null && html`<p>Error budget: ${describeBudget(budget)}.</p>`}
    <p class="note">
      As the service observed it, since ${moment(sla.observed_since)} UTC.
      ${sla.unobserved_minutes >= 1 && `It observed nothing for ${lasting(sla.unobserved_minutes)} of these weeks, which count as neither.`}
    </p>`;
}

function weeksTable({ weeks }: Sla): Markup {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Weeks">
    <table class="weeks">
      <thead>
        <tr>
          <th scope="col">Week of</th>
          <th scope="col" class="number">Fresh</th>
          <th scope="col"><span class="unseen">Of the week</span></th>
          <th scope="col" class="number">Longest breach</th>
        </tr>
      </thead>
      <tbody>
        ${weeks.map(
          (week) =>
            html`<tr>
              <th scope="row">${week.week}</th>
              <td class="number">${week.fresh_percent === null ? '–' : formatPercent(week.fresh_percent)}</td>
              <td>${bar(week)}</td>
              <td class="number">
                ${week.longest_breach === null ? '–' : lasting(week.longest_breach.minutes)}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** What is left of a budget, in words. */
export function describeBudget({
  allowed_minutes: allowed,
  remaining_minutes: left,
}: NonNullable<Sla['error_budget']>): string {
  if (left < 0) return `overspent by ${lasting(-left)} (allowed: ${lasting(allowed)} stale)`;
  return `${lasting(left)} of ${lasting(allowed)} left`;
}

/** A duration in the unit that suits it. */
export function lasting(minutes: number): string {
  return formatDurations([minutes * minuteMs])[0] ?? '';
}

const width = 100;

/** Draws the parts of a week: fresh, stale, unknown, and nothing when nobody looked. */
function bar(week: FreshnessTimes): Markup {
  const parts = [
    ['passed', week.fresh_minutes],
    ['failed', week.stale_minutes],
    ['inconclusive', week.unknown_minutes],
  ] as const;
  const total = week.unobserved_minutes + parts.reduce((sum, [, minutes]) => sum + minutes, 0);
  const label = `fresh ${lasting(week.fresh_minutes)}, stale ${lasting(week.stale_minutes)}, unknown ${lasting(week.unknown_minutes)}, not looked at ${lasting(week.unobserved_minutes)}`;
  let x = 0;
  return html`<svg
    class="week"
    viewBox="0 0 ${width} 10"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    <rect class="track" width="${width}" height="10" />
    ${parts.map(([kind, minutes]) => {
      const part = total > 0 ? (minutes / total) * width : 0;
      const drawn =
        part > 0 && html`<rect class="${kind}" x="${x.toFixed(2)}" width="${part.toFixed(2)}" height="10" />`;
      x += part;
      return drawn;
    })}
  </svg>`;
}
