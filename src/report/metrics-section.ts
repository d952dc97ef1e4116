import type { MetricSnapshot } from '../index.ts';
import { isAnomaly } from '../judgement/capture.ts';
import { html, type Markup, raw } from './markup.ts';
import { drawMetric, mostLines } from './metric-chart.ts';
import type { Report, ReportedMetric } from './report.ts';
import { badge, formatNumber, moment, placeOf, plural } from './wording.ts';

/** Every metric as a line chart with its anomalies marked and listed. */
export function metricsSection({ metrics }: Report): Markup {
  return html`<section aria-labelledby="metrics">
    <h2 id="metrics">Metrics</h2>
    ${metrics.length === 0 && html`<p>The asset has no metrics.</p>`}
    <div class="metrics">${metrics.map(metricFigure)}</div>
  </section>`;
}

function metricFigure(reported: ReportedMetric): Markup {
  const { metric, outcome, series, reason } = reported;
  const snapshots = series.flatMap((group) => group.snapshots);
  const anomalies = series.flatMap(({ group, snapshots: members }) =>
    members.filter(isAnomaly).map((snapshot) => ({ group, snapshot })),
  );
  const name = `${metric.metric_type ?? 'metric'} of ${placeOf(metric)}`;
  const summary = [
    reason,
    snapshots.length > 0 || reason === undefined ? describe(series, snapshots) : undefined,
  ]
    .filter((part) => part !== undefined)
    .join('; ');
  return html`<figure aria-label="${name}">
    <figcaption>
      <h3>${metric.metric_type ?? 'metric'} <small>${placeOf(metric)}</small></h3>
      <p>${badge(outcome)} ${summary}</p>
    </figcaption>
    ${snapshots.length > 0 && raw(drawMetric(reported))} ${legend(series)}
    ${anomalies.length > 0 && anomalyTable(anomalies)}
  </figure> `;
}

function describe(series: ReportedMetric['series'], snapshots: readonly MetricSnapshot[]): string {
  if (snapshots.length === 0) return 'never captured';
  const values = snapshots.map(({ value }) => value).filter((value) => typeof value === 'number');
  const range =
    values.length === 0
      ? ''
      : `, ${formatNumber(Math.min(...values))} to ${formatNumber(Math.max(...values))}`;
  if (series.length > 1)
    return `${plural(series.length, 'group')}, ${plural(snapshots.length, 'value')}${range}`;
  const latest = snapshots.at(-1);
  const value = typeof latest?.value === 'number' ? formatNumber(latest.value) : 'no value';
  const score = typeof latest?.z_score === 'number' ? `, z-score ${latest.z_score.toFixed(2)}` : '';
  return `latest ${value}${score}; ${plural(snapshots.length, 'value')}${range}`;
}

function legend(series: ReportedMetric['series']): Markup | undefined {
  if (series.length < 2) return undefined;
  const hidden = series.length - mostLines;
  return html`<ul class="legend">
    ${series
      .slice(0, mostLines)
      .map(
        ({ group }, at) => html`<li><i style="background:var(--line${at})"></i>${group ?? 'no group'}</li>`,
      )}${hidden > 0 && html`<li>and ${hidden} more, not drawn</li>`}
  </ul>`;
}

/** More would say no more, and the page stays small. */
const mostRows = 10;

function anomalyTable(
  anomalies: readonly { readonly group: string | undefined; readonly snapshot: MetricSnapshot }[],
): Markup {
  const newest = anomalies
    .toSorted((a, b) => compareTexts(b.snapshot.captured_at, a.snapshot.captured_at))
    .slice(0, mostRows);
  const grouped = newest.some(({ group }) => group !== undefined);
  const rest = anomalies.length - newest.length;
  return html`<details>
    <summary>
      ${anomalies.length === 1 ? '1 anomaly' : `${anomalies.length} anomalies`}${rest > 0 && ` (the newest ${newest.length})`}
    </summary>
    <table>
      <thead>
        <tr>
          <th scope="col">Captured (UTC)</th>
          ${grouped && html`<th scope="col">Group</th>`}
          <th scope="col">Value</th>
          <th scope="col">z-score</th>
        </tr>
      </thead>
      <tbody>
        ${newest.map(
          ({ group, snapshot }) =>
            html`<tr>
              <td>${moment(snapshot.captured_at)}</td>
              ${grouped && html`<td>${group}</td>`}
              <td>${typeof snapshot.value === 'number' ? formatNumber(snapshot.value) : '–'}</td>
              <td>${typeof snapshot.z_score === 'number' ? snapshot.z_score.toFixed(2) : '–'}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}

/** Compares without calling anything of a text, which a service may send as something else. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
