import type { Asset } from '../service/store.ts';
import { asRecord, displayText } from '../judgement/field.ts';
import { summarizeAssets } from '../report/collect.ts';
import { html, type Markup } from '../report/markup.ts';
import { renderPage, tighten } from '../report/page.ts';
import { type Extras, renderContent, windowTitle } from '../report/render.ts';
import type { AssetReport, Report, ReportedMetric, ReportedRule } from '../report/report.ts';
import { nameOfMetric, nameOfRule } from '../report/format.ts';
import type { ShownDelivery } from './deliveries.ts';
import { deliveriesTable } from './deliveries-table.ts';
import { latestResults } from './latest-results.ts';
import { livePage } from './live-page.ts';

/** What the page shows, and to whom. */
export interface View {
  readonly report: Report;
  readonly deliveries: readonly ShownDelivery[];
  readonly assets: readonly Asset[];
  /** What of it is wanted; null for all. */
  readonly wanted: { readonly asset: string | null; readonly table: string | null };
  /** Whether there are buttons. */
  readonly canWrite: boolean;
}

/** Writes the whole page. */
export function renderLivePage(view: View): string {
  const selected = select(view);
  const body = html`${content(view, selected)}
    <p id="live" class="live" role="status"></p>`;
  return renderPage({ title: windowTitle(selected), body, own: livePage });
}

/** Writes what of the page changes. */
export function renderFragment(view: View): string {
  return tighten(content(view, select(view)).markup);
}

/** The report of the asset or table that is wanted. */
function select({ report, wanted: { asset, table } }: View): Report {
  const assets = asset === null ? report.assets : report.assets.filter(({ assetId }) => assetId === asset);
  const parts = assets.map((whole) => (table === null ? whole : ofTable(whole, table)));
  const title = table === null ? {} : { title: `Data quality of ${table}` };
  return summarizeAssets(parts, { ...title, generatedAt: report.generatedAt });
}

function ofTable(asset: AssetReport, table: string): AssetReport {
  const isWanted = (path: unknown) => displayText(path) === table;
  return {
    ...asset,
    rules: asset.rules.filter(({ rule }) => isWanted(rule.table_path)),
    metrics: asset.metrics.filter(({ metric }) => isWanted(metric.table_path)),
  };
}

function content(view: View, selected: Report): Markup {
  return html`<div id="page" data-title="${windowTitle(selected)}">
    ${renderContent(selected, {
      header: header(view),
      sections: [
        { id: 'results', title: 'Latest results', content: latestResults(selected) },
        { id: 'deliveries', title: 'Alerts', content: deliveriesTable(view.deliveries) },
      ],
      ...(view.canWrite ? actionsOf(view) : {}),
    })}
  </div>`;
}

/** The address of a part of the page. */
function addressOf(asset: string | null, table: string | null): string {
  const query = new URLSearchParams({ ...(asset !== null && { asset }), ...(table !== null && { table }) });
  return query.size > 0 ? `/?${query.toString()}` : '/';
}

function header({ report, assets, wanted, canWrite }: View): Markup {
  const link = (asset: string | null, table: string | null, text: string) =>
    html`<li>
      <a
        href="${addressOf(asset, table)}"
        ${asset === wanted.asset && table === wanted.table && html` aria-current="page"`}
        >${text}</a
      >
    </li>`;
  const shown = report.assets.filter(({ assetId }) => wanted.asset === null || assetId === wanted.asset);
  const tables = shown.flatMap(({ assetId, rules, metrics }) => {
    const paths = [...rules.map(({ rule }) => rule), ...metrics.map(({ metric }) => metric)];
    return [...new Set(paths.map(({ table_path }) => displayText(table_path)))]
      .toSorted()
      .map((path) => ({ assetId, path }));
  });
  return html`<div class="session">
    <nav aria-label="Assets">
      <ul>
        ${link(null, null, assets.length === 1 ? 'All tables' : 'All assets')}
        ${assets.length > 1 && assets.map(({ id, name }) => link(id, null, name))}
      </ul>
    </nav>
    <form method="post" action="/page/sign-out">
      ${!canWrite && html`<span class="note">Read-only</span> `}<button>Sign out</button>
    </form>
    ${
      tables.length > 0 &&
      html`<details class="plain" ${wanted.table !== null && html` open`}>
        <summary>${tables.length === 1 ? '1 table' : `${tables.length} tables`}</summary>
        <nav aria-label="Tables">
          <ul>
            ${tables.map(({ assetId, path }) => link(assetId, path, path))}
          </ul>
        </nav>
      </details>`
    }
  </div>`;
}

function actionsOf({ wanted }: View): Pick<Extras, 'ruleActions' | 'metricActions'> {
  const back = addressOf(wanted.asset, wanted.table);
  return {
    ruleActions: ({ assetId }: AssetReport, { rule }: ReportedRule) => {
      const target = {
        asset: assetId,
        subject: rule.uuid,
        back: `${back}#rule-${rule.uuid}`,
        name: nameOfRule(rule),
      };
      return html`<div class="actions">
        ${button('check', { ...target, label: 'Check now', doing: 'Checking' })}
      </div>`;
    },
    metricActions: ({ assetId }: AssetReport, { metric, outcome, series }: ReportedMetric) => {
      const latest = series.flatMap(({ snapshots }) => snapshots.at(-1) ?? []);
      const isAccepted = latest.every((snapshot) => asRecord(snapshot)['accepted'] === true);
      const name = nameOfMetric(metric);
      const target = { asset: assetId, subject: metric.id, back: `${back}#metric-${metric.id}`, name };
      return html`<div class="actions">
        ${button('capture', { ...target, label: 'Capture now', doing: 'Capturing' })}
        ${outcome === 'failed' && !isAccepted && button('accept', { ...target, label: 'Accept as normal', doing: 'Accepting' })}
      </div>`;
    },
  };
}

interface Button {
  readonly asset: string;
  readonly subject: string;
  /** Where to go on without scripts. */
  readonly back: string;
  readonly name: string;
  readonly label: string;
  /** What is shown meanwhile. */
  readonly doing: string;
}

function button(action: string, { asset, subject, back, name, label, doing }: Button): Markup {
  return html`<form method="post" action="/page/${action}" data-doing="${doing} ${name} …">
    <input type="hidden" name="asset" value="${asset}" /><input
      type="hidden"
      name="subject"
      value="${subject}"
    />
    <input type="hidden" name="back" value="${back}" /><button>
      ${label}<span class="unseen">: ${name}</span>
    </button>
  </form>`;
}
