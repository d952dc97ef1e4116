import type { MetricSnapshot } from '../index.ts';
import { isAnomaly, judgeCapture } from '../judgement/capture.ts';
import { asRecord, displayText } from '../judgement/field.ts';
import { plural } from '../judgement/number.ts';
import type { Anchors } from './anchors.ts';
import { drawChart } from './chart.ts';
import { html, type Markup } from './markup.ts';
import type { Point } from './points.ts';
import type { ReportedMetric } from './report.ts';
import { formatMoment, parseTimestamp } from './time.ts';
import { badge, compactNumber, moment, nameOfMetric } from './format.ts';

/** More lines than this cannot be distinguished. */
const mostLines = 6;

/** How a metric is drawn. */
export interface MetricView {
  readonly anchors: Anchors;
  /** Most points of its values over time, of all groups together. */
  readonly mostPoints: number;
  /** What can be done with it. */
  readonly actions?: Markup | undefined;
}

/** Draws one metric: its latest value, and its values over time with the expected band and the anomalies. */
export function metricItem(reported: ReportedMetric, { anchors, mostPoints, actions }: MetricView): Markup {
  const { metric, outcome, series } = reported;
  const name = nameOfMetric(metric);
  const unit = displayText(metric.metric_type).endsWith('percent') ? '\u{a0}%' : '';
  const lines = series
    .slice(0, mostLines)
    .map(({ snapshots }) => snapshots.flatMap((it) => toPoint(it) ?? []));
  // One value has no history: it stands above.
  const hasHistory = lines.some((line) => line.filter(({ value }) => value !== undefined).length > 1);
  const hasBand = lines.some((line) => line.some(({ band }) => band !== undefined));
  const count = series.reduce((total, { snapshots }) => total + snapshots.length, 0);
  return html`<figure
    class="item metric"
    id="${anchors.of('metric', reported, metric.id)}"
    data-status="${outcome}"
    data-table="${metric.table_path}"
  >
    <figcaption>
      <div class="metric-head">
        <h5>${name}</h5>
        ${badge(outcome)}
      </div>
      ${describeLatest(reported, unit)}
    </figcaption>
    ${
      hasHistory &&
      drawChart({
        label: `${name}: ${plural(count, 'captured value')}`,
        lines,
        unit,
        fromZero: unit !== '',
        mostPoints: Math.max(20, Math.floor(mostPoints / lines.length)),
      })
    }
    ${legend(reported, hasBand)} ${anomalyTable(reported, unit)} ${actions}
  </figure>`;
}

function describeLatest({ series, reason }: ReportedMetric, unit: string): Markup {
  const [first] = series;
  const latest = first?.snapshots.at(-1);
  const note = reason !== undefined && html`<small>${reason}</small>`;
  if (latest === undefined) return html`<p>${note || html`<small>never captured</small>`}</p>`;
  if (series.length > 1) return html`<p><b class="value">${plural(series.length, 'group')}</b> ${note}</p>`;
  const band = bandOf(latest);
  const value = typeof latest.value === 'number' ? `${compactNumber(latest.value)}${unit}` : 'no value';
  return html`<p>
      <b class="value">${value}</b>
      <small
        >${band !== undefined && `expected ${compactNumber(band[0])} to ${compactNumber(band[1])}${unit}`}${moment(latest.captured_at)}</small
      >
    </p>
    ${note && html`<p>${note}</p>`}`;
}

function legend({ series }: ReportedMetric, hasBand: boolean): Markup | undefined {
  const groups = series.length > 1 ? series.slice(0, mostLines) : [];
  const hidden = series.length - mostLines;
  const hasAnomaly = series.some(({ snapshots }) => snapshots.some(isAnomaly));
  if (groups.length === 0 && !hasBand && !hasAnomaly) return undefined;
  return html`<ul class="legend">
    ${groups.map(({ group }, at) => html`<li class="key-line l${at}">${group ?? 'no group'}</li>`)}
    ${hidden > 0 && html`<li>${hidden} more, not drawn</li>`}
    ${hasBand && html`<li class="key-band">expected</li>`}
    ${hasAnomaly && html`<li class="key-failed">anomaly</li>`}
  </ul>`;
}

function toPoint(snapshot: MetricSnapshot): Point | undefined {
  const at = parseTimestamp(snapshot.captured_at);
  if (at === undefined) return undefined;
  const { outcome } = judgeCapture({ snapshots: [snapshot] });
  return {
    at,
    value: typeof snapshot.value === 'number' ? snapshot.value : undefined,
    outcome,
    band: bandOf(snapshot),
  };
}

function bandOf(snapshot: MetricSnapshot): readonly [number, number] | undefined {
  const { expected_lower: lower, expected_upper: upper } = asRecord(snapshot);
  return typeof lower === 'number' && typeof upper === 'number' ? [lower, upper] : undefined;
}

/** More would say no more, and the page stays small. */
const mostRows = 5;

function anomalyTable({ series }: ReportedMetric, unit: string): Markup | undefined {
  const anomalies = series
    .flatMap(({ group, snapshots }) =>
      snapshots
        .filter(isAnomaly)
        .map((snapshot) => ({ group, snapshot, at: parseTimestamp(snapshot.captured_at) ?? 0 })),
    )
    .toSorted((a, b) => b.at - a.at);
  if (anomalies.length === 0) return undefined;
  const newest = anomalies.slice(0, mostRows);
  const grouped = newest.some(({ group }) => group !== undefined);
  const banded = newest.some(({ snapshot }) => bandOf(snapshot) !== undefined);
  const rest = anomalies.length - newest.length;
  const heading = anomalies.length === 1 ? '1 anomaly' : `${anomalies.length} anomalies`;
  return html`<details class="plain">
    <summary>${heading}${rest > 0 && `, the newest ${newest.length}`}</summary>
    <div class="scroll" tabindex="0" role="group" aria-label="Anomalies">
      <table>
        <thead>
          <tr>
            <th scope="col">Captured (UTC)</th>
            ${grouped && html`<th scope="col">Group</th>`}
            <th scope="col" class="number">Value</th>
            ${banded && html`<th scope="col" class="number">Expected</th>`}
            <th scope="col" class="number">z-score</th>
          </tr>
        </thead>
        <tbody>
          ${newest.map(
            ({ group, snapshot, at }) =>
              html`<tr>
                <td>${at === 0 ? '–' : formatMoment(at)}</td>
                ${grouped && html`<td>${group}</td>`}
                <td class="number">
                  ${typeof snapshot.value === 'number' ? `${compactNumber(snapshot.value)}${unit}` : '–'}
                </td>
                ${banded && html`<td class="number">${(bandOf(snapshot) ?? []).map(compactNumber).join(' to ')}</td>`}
                <td class="number">
                  ${typeof snapshot.z_score === 'number' ? snapshot.z_score.toFixed(2) : '–'}
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}
