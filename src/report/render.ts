import { formatNumber, plural } from '../judgement/number.ts';
import { Anchors } from './anchors.ts';
import type { Actions } from './actions.ts';
import { attentionSection } from './attention.ts';
import { checksSection } from './checks-section.ts';
import { freshnessSection } from './freshness-section.ts';
import { lineageSection } from './lineage-section.ts';
import { html, type Markup } from './markup.ts';
import { renderPage } from './page.ts';
import type { Report } from './report.ts';
import { nameOfAsset } from './tables.ts';
import { trendSection } from './trend-section.ts';
import { badge, moment, outcomeOrder } from './format.ts';

/** Writes a report as one HTML page that needs nothing else and loads nothing: light and dark, on paper, without scripts. */
export function renderReport(report: Report): string {
  return renderPage({ title: windowTitle(report), body: renderContent(report) });
}

/** What the window of a report is called. */
export function windowTitle(report: Report): string {
  return `${titleOf(report)}: ${headline(report)}`;
}

/** What a page that is more than a report adds to its content. */
export interface Extras extends Actions {
  /** Put at the end of the header. */
  readonly header?: Markup | undefined;
  /** Put after those of the report; `id` is what links lead to. */
  readonly sections?: readonly { readonly id: string; readonly title: string; readonly content: Markup }[];
}

/** Writes the content of a report, for a page of one's own. */
export function renderContent(report: Report, { header, sections = [], ...actions }: Extras = {}): Markup {
  const anchors = new Anchors();
  const attention = attentionSection(report, anchors);
  const trend = trendSection(report);
  const lineage = lineageSection(report, anchors);
  return html`<a class="skip" href="#content">Skip to the content</a>
    <header>
      <p class="title">${titleOf(report)}</p>
      <h1 class="${report.outcome}">${headline(report)}</h1>
      <ul class="counts">
        ${outcomeOrder.filter((outcome) => report.counts[outcome] > 0).map((outcome) => html`<li>${badge(outcome, report.counts[outcome])}</li>`)}
      </ul>
      <p class="note">
        As of ${moment(report.generatedAt)}
        UTC${report.assets.length === 1 ? html` · asset <code>${report.assets[0]?.assetId}</code>` : ` · ${plural(report.assets.length, 'asset')}`}
      </p>
      <nav aria-label="Sections">
        ${attention !== undefined && html`<a href="#attention">Attention</a>`}
        ${trend !== undefined && html`<a href="#trend">Trend</a>`} <a href="#freshness">Freshness</a>
        <a href="#checks">Checks</a> ${lineage !== undefined && html`<a href="#lineage">Lineage</a>`}
        ${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}
      </nav>
      ${header}
    </header>
    <main id="content" tabindex="-1">
      ${attention}
      <div class="cards">${trend} ${freshnessSection(report)}</div>
      ${checksSection(report, anchors, actions)} ${lineage}
      ${sections.map(
        ({ id, title, content }) =>
          html`<section aria-labelledby="${id}">
            <h2 id="${id}">${title}</h2>
            ${content}
          </section>`,
      )}
    </main>`;
}

function titleOf({ title, assets }: Report): string {
  if (title !== undefined) return title;
  const names = assets.map(nameOfAsset);
  const rest = names.length - mostNames;
  return `Data quality of ${names.slice(0, mostNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

const mostNames = 3;

/** How much does not pass, in one sentence. */
function headline({ counts }: Report): string {
  const { failed, inconclusive, passed, tolerated } = counts;
  const total = failed + inconclusive + passed + tolerated;
  if (total === 0) return 'Nothing was checked';
  const worst = failed > 0 ? failed : inconclusive;
  const verb = failed > 0 ? (failed === 1 ? 'fails' : 'fail') : worst === 1 ? 'is unclear' : 'are unclear';
  if (worst > 0) return `${formatNumber(worst)} of ${plural(total, 'check')} ${verb}`;
  return total === 1 ? 'The only check passes' : `All ${formatNumber(total)} checks pass`;
}
