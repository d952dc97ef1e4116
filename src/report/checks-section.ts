import { severities } from '../contract/vocabulary.ts';
import { plural } from '../judgement/number.ts';
import { severityOf } from '../judgement/severity.ts';
import type { Actions } from './actions.ts';
import type { Anchors } from './anchors.ts';
import { html, type Markup } from './markup.ts';
import { becomesTable } from './lineage.ts';
import { metricItem } from './metric-item.ts';
import type { Report, ReportedRule } from './report.ts';
import { ruleItem } from './rule-item.ts';
import { countOf, nameOfAsset, type ReportedTable, tablesOf } from './tables.ts';
import { badge, outcomeOrder, outcomeWords } from './format.ts';

/** Below this, everything is open: there is nothing to scroll past. */
const fewItems = 20;

/** Points of all charts together: a page with many of them draws fewer of each, and stays below a megabyte. */
const mostMetricPoints = 6000;
const mostRulePoints = 7200;

function shareOf(points: number, charts: number): number {
  return Math.max(30, Math.min(400, Math.floor(points / Math.max(1, charts))));
}

/** Every table with its rules and metrics; with scripts also every rule in one list. */
export function checksSection(report: Report, anchors: Anchors, actions: Actions = {}): Markup {
  const tables = tablesOf(report);
  const items = tables.reduce((total, { rules, metrics }) => total + rules.length + metrics.length, 0);
  const metrics = tables.reduce((total, table) => total + table.metrics.length, 0);
  const view: View = {
    anchors,
    actions,
    isSmall: items <= fewItems,
    showsAsset: report.assets.length > 1,
    pointsPerMetric: shareOf(mostMetricPoints, metrics),
    pointsPerRule: shareOf(mostRulePoints, items - metrics),
  };
  return html`<section aria-labelledby="checks">
    <h2 id="checks">Checks</h2>
    ${tables.length === 0 ? html`<p>No rules and no metrics are defined.</p>` : toolbar(tables)}
    <div id="tables">${tables.map((table) => tableItem(table, view))}</div>
    <div id="list" hidden></div>
    <p id="nothing" hidden>Nothing matches.</p>
  </section>`;
}

interface View {
  readonly anchors: Anchors;
  readonly actions: Actions;
  readonly isSmall: boolean;
  readonly showsAsset: boolean;
  readonly pointsPerMetric: number;
  readonly pointsPerRule: number;
}

/** The script of the page shows it: without scripts it would do nothing. */
function toolbar(tables: readonly ReportedTable[]): Markup {
  const rules = tables.flatMap((table) => table.rules);
  const found = new Set(
    tables.flatMap((table) => [...table.rules, ...table.metrics]).map(({ outcome }) => outcome),
  );
  const known = new Set(rules.map(({ rule }) => severityOf(rule.severity)));
  const graver = [...severities].toReversed();
  const ordered = [...graver, ...[...known].filter((it) => !graver.some((severity) => severity === it))];
  return html`<form class="toolbar" role="search" aria-label="Checks" hidden>
    <label class="search"
      >Search<input type="search" name="text" placeholder="Name, column, SQL, id …" autocomplete="off"
    /></label>
    ${choice(
      'status',
      'Status',
      outcomeOrder.filter((it) => found.has(it)).map((it) => [it, outcomeWords[it]]),
    )}
    ${choice(
      'severity',
      'Severity',
      ordered.filter((it) => known.has(it)).map((it) => [it, it]),
    )}
    ${
      tables.length > 1 &&
      choice(
        'table',
        'Table',
        [...new Set(tables.map(({ path }) => path))].toSorted().map((it) => [it, it]),
      )
    }
    <label
      >Show<select name="view">
        <option value="table">by table</option>
        <option value="gravity">by rule: most severe first</option>
        <option value="name">by rule: name</option>
        <option value="share">by rule: most invalid</option>
        <option value="at">by rule: last checked</option>
      </select></label
    >
    <span class="buttons"
      ><button type="button" name="open">Expand all</button
      ><button type="button" name="close">Collapse all</button><button type="reset">Reset</button></span
    >
    <output name="count" aria-live="polite"></output>
  </form>`;
}

function choice(name: string, label: string, values: readonly (readonly [string, string])[]): Markup {
  return html`<label
    >${label}<select name="${name}">
      <option value="">all</option>
      ${values.map(([value, text]) => html`<option value="${value}">${text}</option>`)}
    </select></label
  >`;
}

function tableItem(
  table: ReportedTable,
  { anchors, actions, isSmall, showsAsset, pointsPerMetric, pointsPerRule }: View,
): Markup {
  const { rules, metrics, path, outcome, asset } = table;
  const tableAnchor = anchors.of('table', asset.assetId + path, path);
  const ruleView = { anchors, tableAnchor, mostPoints: pointsPerRule };
  const draw = (it: ReportedRule) => ruleItem(it, { ...ruleView, actions: actions.ruleActions?.(asset, it) });
  const needAttention = rules.filter((it) => it.outcome !== 'passed' && it.outcome !== 'skipped');
  const others = rules.filter((it) => !needAttention.includes(it));
  const drawn = metrics.map((it) =>
    metricItem(it, { anchors, mostPoints: pointsPerMetric, actions: actions.metricActions?.(asset, it) }),
  );
  const hasTrouble = outcome === 'failed' || outcome === 'inconclusive';
  const hasMetricTrouble = metrics.some((it) => it.outcome === 'failed' || it.outcome === 'inconclusive');
  return html`<details class="table" id="${tableAnchor}" ${(isSmall || hasTrouble) && html` open`}>
    <summary>
      ${badge(outcome)}
      <h3>${path === '' ? 'no table' : path}${showsAsset && html` <small>${nameOfAsset(asset)}</small>`}</h3>
      <span class="counts">${describeCounts(table)}</span>
    </summary>
    ${needAttention.map((it) => draw(it))}
    ${
      others.length > 0 &&
      (isSmall || needAttention.length + others.length <= 4
        ? others.map((it) => draw(it))
        : html`<details class="group">
            <summary>
              <h4>
                ${plural(others.length, 'rule')}${others.every(({ outcome: it }) => it === 'passed') ? ' passed' : ' passed or inactive'}
              </h4>
            </summary>
            ${others.map((it) => draw(it))}
          </details>`)
    }
    ${
      drawn.length > 0 &&
      html`<details class="group" ${(isSmall || hasMetricTrouble) && html` open`}>
        <summary><h4>${plural(drawn.length, 'metric')}</h4></summary>
        <div class="metrics">${drawn}</div>
      </details>`
    }
    ${asset.lineage?.nodes.some((node) => becomesTable(node, path)) === true && html`<p class="note"><a href="#lineage">Lineage</a></p>`}
  </details>`;
}

function describeCounts(table: ReportedTable): string {
  return outcomeOrder
    .map((outcome) => ({ outcome, count: countOf(table, outcome) }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${count} ${outcomeWords[outcome]}`)
    .join(', ');
}
