import type { CheckOutcome } from '../judgement/outcome.ts';
import { severityRank } from '../judgement/severity.ts';
import type { Anchors } from './anchors.ts';
import { changeOf, failingSince } from './history.ts';
import { html, type Markup } from './markup.ts';
import type { AssetReport, Report } from './report.ts';
import { nameOfAsset } from './tables.ts';
import { formatMoment } from './time.ts';
import { badge, describeResult, nameOfMetric, nameOfRule, placeOf } from './format.ts';

/** More would hide the rest of the page. */
const mostShown = 8;

/** What does not pass, the most severe first, and what passes again, each with a link to its place. */
export function attentionSection(report: Report, anchors: Anchors): Markup | undefined {
  const concerns = report.assets
    .flatMap((asset) => concernsOf(asset, anchors))
    .toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome) || b.rank - a.rank);
  const recovered = report.assets
    .flatMap(({ rules }) => rules)
    .filter((reported) => changeOf(reported) === 'recovered');
  if (concerns.length === 0 && recovered.length === 0) return undefined;
  const rest = concerns.slice(mostShown);
  return html`<section aria-labelledby="attention">
    <h2 id="attention">${concerns.length === 0 ? 'Recovered' : 'What needs attention'}</h2>
    ${concerns.length > 0 && list(concerns.slice(0, mostShown))}
    ${
      rest.length > 0 &&
      html`<details class="plain">
        <summary>${rest.length} more</summary>
        ${list(rest)}
      </details>`
    }
    ${
      recovered.length > 0 &&
      html`<p class="recovered">
        <b>${recovered.length} recovered</b> since the check before:
        ${recovered.map(
          (reported, at) =>
            html`${at > 0 && ', '}<a href="#${anchors.of('rule', reported, reported.rule.uuid)}"
                >${nameOfRule(reported.rule)}</a
              >`,
        )}
      </p>`
    }
  </section>`;
}

const order: readonly CheckOutcome[] = ['failed', 'inconclusive'];

interface Concern {
  readonly outcome: CheckOutcome;
  readonly rank: number;
  readonly link: string;
  readonly name: string;
  readonly place: string;
  readonly found: string;
  readonly isNew: boolean;
  readonly since?: number | undefined;
}

function list(concerns: readonly Concern[]): Markup {
  return html`<ul class="concerns">
    ${concerns.map(
      ({ outcome, link, name, place, found, isNew, since }) =>
        html`<li>
          ${badge(outcome)}
          <span
            ><a href="#${link}">${name}</a> ${isNew && html`<em class="new">new</em>`}
            <small>${place}</small></span
          >
          <span class="found"
            >${found}${since !== undefined && html` <small>since ${formatMoment(since)}</small>`}</span
          >
        </li> `,
    )}
  </ul>`;
}

function concernsOf(asset: AssetReport, anchors: Anchors): readonly Concern[] {
  const { rules, metrics, freshness } = asset;
  const all: readonly Concern[] = [
    ...(freshness === undefined
      ? []
      : [
          {
            outcome: freshness.outcome,
            rank: severityRank('critical'),
            link: 'freshness',
            name: 'Freshness',
            place: nameOfAsset(asset),
            found: freshness.reason ?? '',
            isNew: false,
          },
        ]),
    ...rules.map((reported) => ({
      outcome: reported.outcome,
      rank: severityRank(reported.rule.severity),
      link: anchors.of('rule', reported, reported.rule.uuid),
      name: nameOfRule(reported.rule),
      place: placeOf(reported.rule),
      found: describeResult(reported.results[0], reported.outcome, reported.reason),
      isNew: changeOf(reported) === 'new',
      since:
        changeOf(reported) === undefined && reported.outcome === 'failed'
          ? failingSince(reported)
          : undefined,
    })),
    ...metrics.map((reported) => ({
      outcome: reported.outcome,
      rank: severityRank('warning'),
      link: anchors.of('metric', reported, reported.metric.id),
      name: nameOfMetric(reported.metric),
      place: placeOf(reported.metric),
      found: reported.reason ?? 'never captured',
      isNew: false,
    })),
  ];
  return all.filter(({ outcome }) => order.includes(outcome));
}
