import { freshnessSection } from './freshness-section.ts';
import { lineageSection } from './lineage-section.ts';
import { html, raw } from './markup.ts';
import { metricsSection } from './metrics-section.ts';
import { reasons } from './reasons.ts';
import type { CheckOutcome } from '../judgement/outcome.ts';
import type { Report } from './report.ts';
import { rulesSection } from './rules-section.ts';
import { samplesSection } from './samples-section.ts';
import { style } from './style.ts';
import { badge, formatNumber, moment } from './wording.ts';

/** Writes a report as one HTML page that needs nothing else: no script, no network, light and dark, on paper too. */
export function renderReport(report: Report): string {
  const name = report.assetName ?? report.assetId;
  const title = `${name}: ${verdicts[report.outcome]}`;
  const samples = samplesSection(report);
  const lineage = lineageSection(report);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <title>${title}</title>
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <p>Data quality of ${name}</p>
          <h1 class="${report.outcome}">${verdicts[report.outcome]}</h1>
          <ul class="counts">
            ${outcomes.filter((outcome) => report.counts[outcome] > 0).map((outcome) => html`<li>${formatNumber(report.counts[outcome])} ${badge(outcome)}</li>`)}
          </ul>
          ${reasons(report)}
          <p>
            <small>As of ${moment(report.generatedAt)} UTC; asset <code>${report.assetId}</code></small>
          </p>
          <nav aria-label="Sections">
            <ul>
              <li><a href="#rules">Rules</a></li>
              ${samples !== undefined && html`<li><a href="#samples">Failing samples</a></li>`}
              <li><a href="#freshness">Freshness</a></li>
              <li><a href="#metrics">Metrics</a></li>
              ${lineage !== undefined && html`<li><a href="#lineage">Lineage</a></li>`}
            </ul>
          </nav>
        </header>
        <main id="content" tabindex="-1">
          ${rulesSection(report)} ${samples} ${freshnessSection(report)} ${metricsSection(report)} ${lineage}
        </main>
      </body>
    </html> `.markup;
}

const verdicts: Readonly<Record<Report['outcome'], string>> = {
  passed: 'The data is good',
  failed: 'The data is bad',
  inconclusive: 'No verdict',
};

const outcomes: readonly CheckOutcome[] = ['failed', 'inconclusive', 'tolerated', 'passed', 'skipped'];
