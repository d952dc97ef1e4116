import { html, type Markup } from './markup.ts';
import type { Report, ReportedRule } from './report.ts';
import { placeOf, plural } from './wording.ts';

/** Rows that broke a rule, if it was checked for the report. */
export function samplesSection({ rules }: Report): Markup | undefined {
  const failing = rules.filter(({ outcome }) => outcome === 'failed' || outcome === 'tolerated');
  if (failing.length === 0) return undefined;
  const shown = failing.filter(({ samples }) => samples.length > 0);
  return html`<section aria-labelledby="samples">
    <h2 id="samples">Failing samples</h2>
    ${shown.length === 0 && html`<p>None are at hand: only a check returns the rows that break a rule. <code>dq report --check</code> checks first.</p>`}
    ${shown.map(sampleList)}
  </section>`;
}

function sampleList({ rule, samples }: ReportedRule): Markup {
  return html`<details open>
    <summary>
      ${rule.name ?? rule.rule_type ?? rule.uuid}
      <small>${placeOf(rule)}, ${plural(samples.length, 'sample')}</small>
    </summary>
    <ul class="samples">
      ${samples.map(
        ({ row_id: row, value }) =>
          html`<li>
            ${row !== undefined && row !== null && html`<span>row ${row}</span> `}<code
              >${JSON.stringify(value) ?? 'no value'}</code
            >
          </li>`,
      )}
    </ul>
  </details>`;
}
