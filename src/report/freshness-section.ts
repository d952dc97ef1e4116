import { displayText } from '../judgement/field.ts';
import { html, type Markup } from './markup.ts';
import type { AssetReport, Report } from './report.ts';
import { slaPart } from './sla-part.ts';
import { nameOfAsset } from './tables.ts';
import { formatDurations } from './time.ts';
import { badge, moment } from './format.ts';

/** How old the data of each asset is, against the threshold of the service. */
export function freshnessSection({ assets }: Report): Markup {
  return html`<section aria-labelledby="freshness" class="card">
    <h2 id="freshness">Freshness</h2>
    ${assets.map((asset) => html`${assets.length > 1 && html`<h3>${nameOfAsset(asset)}</h3>`}${freshnessOf(asset)}`)}
  </section>`;
}

function freshnessOf(asset: AssetReport): Markup {
  return html`${latestReading(asset)} ${asset.sla !== undefined && slaPart(asset.sla)}`;
}

function latestReading({ freshness, sla }: AssetReport): Markup {
  if (freshness === undefined) return html`<p class="note">No freshness is configured for this asset.</p>`;
  const { reading, reason, outcome } = freshness;
  if (reading === undefined) return html`<p>${badge(outcome)} ${reason}</p>`;
  const age = typeof reading.data_age_minutes === 'number' ? reading.data_age_minutes * 60_000 : undefined;
  const threshold = thresholdOf(reading.sla_threshold);
  const durations = [age, threshold].filter((duration) => duration !== undefined);
  const [first, second] = formatDurations(durations);
  const ageText = age === undefined ? 'unknown age' : `${first} old`;
  const limit = age === undefined ? first : second;
  const column = displayText(reading.timestamp_column);
  return html`<p>
      ${badge(outcome)} <b class="value">${ageText}</b>
      <small
        >${threshold === undefined ? `allowed: ${displayText(reading.sla_threshold) || 'unknown'}` : `${limit} allowed`}</small
      >
    </p>
    ${age !== undefined && threshold !== undefined && gauge(age, threshold)}
    ${outcome === 'inconclusive' && reason !== undefined && html`<p>${reason}</p>`}
    <p class="note">
      Newest data ${moment(reading.last_updated)} UTC${column !== '' && html`, by <code>${column}</code>`}.
      ${sla === undefined && 'One reading: the service keeps no earlier ones.'}
    </p>`;
}

/** More than this many thresholds do not fit in the picture: the bar then ends in an arrow. */
const mostThresholds = 3;
/** The part of the threshold from which the service warns. */
const warningPart = 0.8;

/** Draws the age as a bar against the threshold: one reading, so no line over time. */
function gauge(age: number, threshold: number): Markup {
  const span = Math.min(Math.max(age, threshold * 1.25), threshold * mostThresholds);
  const percent = (duration: number): number => Math.round((Math.max(0, duration) / span) * 1000) / 10;
  const kind = age > threshold ? 'failed' : age > threshold * warningPart ? 'tolerated' : 'passed';
  const isBeyond = age > span;
  const times = Math.round((age / threshold) * 10) / 10;
  const label = `The age is ${times} times the threshold`;
  return html`<svg class="gauge" role="img" aria-label="${label}" height="34">
      <rect class="track" y="8" width="100%" height="12" rx="6" />
      <rect class="${kind}" y="8" width="${Math.min(100, percent(age))}%" height="12" rx="6" />
      <rect class="tick" x="${percent(threshold)}%" y="2" width="2" height="24" />
    </svg>
    <p class="note">
      The mark is the
      threshold${isBeyond && `; the age is ${times.toLocaleString('en-US')} times as long, so the bar ends early`}.
    </p>`;
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The threshold is documented as a number with a unit, such as hours. */
function thresholdOf(threshold: unknown): number | undefined {
  const [, digits, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([smhd])/i.exec(displayText(threshold)) ?? [];
  const milliseconds = Number(digits) * (unitMs[unit.toLowerCase()] ?? Number.NaN);
  return milliseconds > 0 ? milliseconds : undefined;
}
