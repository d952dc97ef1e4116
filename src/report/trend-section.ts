import { plural } from '../judgement/number.ts';
import { timeLabels } from './chart.ts';
import { type Day, trendOf } from './history.ts';
import { html, type Markup } from './markup.ts';
import type { Report } from './report.ts';
import { createAxis, formatTicks } from './scale.ts';
import { formatDay } from './time.ts';

const mostDays = 60;
const dayMs = 86_400_000;
/** Width of a day and height of the drawing in its own units; the page stretches it. */
const pitch = 10;
const height = 200;

/** How many rules failed on each day, as far as the results go back. */
export function trendSection({ assets }: Report): Markup | undefined {
  const days = trendOf(
    assets.flatMap(({ rules }) => rules).filter(({ outcome }) => outcome !== 'skipped'),
    mostDays,
  );
  const [first] = days;
  const last = days.at(-1);
  // One day is not a trend.
  if (first === undefined || last === undefined || first === last) return undefined;
  const axis = createAxis([4, ...days.map(({ failed, inconclusive }) => failed + inconclusive)], {
    fromZero: true,
  });
  const width = ((last.at - first.at) / dayMs + 1) * pitch;
  const grid = axis.ticks.map((tick) => `M0 ${(1 - tick / axis.high) * height}h${width}`).join('');
  const hasUnclear = days.some(({ inconclusive }) => inconclusive > 0);
  const label = `Failing rules per day: ${last.failed} of ${last.checked} on ${formatDay(last.at)}, ${first.failed} of ${first.checked} on ${formatDay(first.at)}`;
  return html`<section aria-labelledby="trend" class="card">
    <h2 id="trend">Failing rules per day</h2>
    <div class="chart">
      <div class="y" aria-hidden="true">${formatTicks(axis).map((tick) => html`<span>${tick}</span>`)}</div>
      <div class="plot" role="img" aria-label="${label}">
        <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">
          <path class="grid" d="${grid}" />
          ${days.map((day) => bar(day, first.at, axis.high))}
        </svg>
      </div>
      ${timeLabels(first.at, last.at)}
    </div>
    ${
      hasUnclear &&
      html`<ul class="legend">
        <li class="key-bar">failed</li>
        <li class="key-unclear">unclear</li>
      </ul>`
    }
    <p class="note">
      The last check of each rule on each day${days.length > 1 && `, ${plural(days.length, 'day')}`}.
    </p>
  </section>`;
}

function bar({ at, checked, failed, inconclusive }: Day, start: number, most: number): Markup {
  const x = ((at - start) / dayMs) * pitch;
  const tall = (count: number): number => Math.round((count / most) * height);
  const rect = (kind: string, from: number, count: number): Markup | false =>
    count > 0 &&
    html`<rect
      class="${kind}"
      x="${x + 1}"
      y="${height - tall(from + count)}"
      width="${pitch - 2}"
      height="${tall(count)}"
    />`;
  const unclear = inconclusive > 0 ? `, ${inconclusive} unclear` : '';
  return html`<g
    ><title>${formatDay(at)}: ${failed} of ${plural(checked, 'rule')} failed${unclear}</title
    ><rect
      class="hit"
      x="${x}"
      y="0"
      width="${pitch}"
      height="${height}"
    />${rect('failed', 0, failed)}${rect('inconclusive', failed, inconclusive)}</g
  >`;
}
