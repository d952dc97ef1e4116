import { describeDuration } from '../cli/duration.ts';
import { drawFreshness } from './freshness-chart.ts';
import { html, type Markup, raw } from './markup.ts';
import type { Report } from './report.ts';
import { badge, moment } from './wording.ts';

/** How old the data is, and how that compares with the threshold of the service. */
export function freshnessSection({ freshness }: Report): Markup {
  if (freshness === undefined) return section(html`<p>No freshness is configured for this asset.</p>`);
  const { reading, reason, outcome } = freshness;
  if (reading === undefined) return section(html`<p>${badge(outcome)} ${reason}</p>`);
  const age =
    typeof reading.data_age_minutes === 'number'
      ? describeDuration(reading.data_age_minutes * 60_000)
      : 'unknown';
  const chart = drawFreshness(reading);
  const label = `Age of the data since its last update: ${age}, where ${reading.sla_threshold ?? 'no age'} is allowed.`;
  return section(
    html`<p>
        ${badge(outcome)} The data is <strong>${reading.status ?? 'of unknown freshness'}</strong>: age
        ${age}, allowed ${reading.sla_threshold ?? 'unknown'}, SLA ${reading.sla_status ?? 'unknown'}. Last
        updated
        ${moment(reading.last_updated)}${typeof reading.timestamp_column === 'string' && html` by <code>${reading.timestamp_column}</code>`}.
      </p>
      ${
        chart !== undefined &&
        html`<figure aria-label="${label}">
          ${raw(chart)}
          <figcaption>Age since the last update; the service keeps no earlier readings.</figcaption>
        </figure>`
      }`,
  );
}

function section(content: Markup): Markup {
  return html`<section aria-labelledby="freshness">
    <h2 id="freshness">Freshness</h2>
    ${content}
  </section>`;
}
