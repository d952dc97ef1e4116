import type { CheckOutcome } from '../judgement/outcome.ts';
import { plural } from '../judgement/number.ts';
import { outcomeOfCheck } from './history.ts';
import { html, type Markup } from './markup.ts';
import type { ReportedRule } from './report.ts';
import { outcomeOrder, outcomeWords } from './format.ts';

/** More marks than this do not fit beside the name of a rule. */
const mostMarks = 30;
const pitch = 4;

/** Draws one mark per check, the oldest on the left; a failure is also visible by its height. */
export function drawStrip(reported: ReportedRule): Markup {
  const outcomes = reported.results
    .slice(0, mostMarks)
    .map((result) => outcomeOfCheck(reported, result))
    .toReversed();
  if (outcomes.length === 0) return html`<span class="strip"></span>`;
  const counts = outcomeOrder
    .map((outcome) => ({ outcome, count: outcomes.filter((it) => it === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${count} ${outcomeWords[outcome]}`);
  const width = mostMarks * pitch;
  const start = width - outcomes.length * pitch;
  return html`<svg
    class="strip"
    viewBox="0 0 ${width} 16"
    role="img"
    aria-label="Last ${plural(outcomes.length, 'check')}: ${counts.join(', ')}"
  >
    ${runsOf(outcomes).map(({ outcome, from, length }) => html`<path class="${outcome.charAt(0)}" d="M${start + from * pitch} 0h${length * pitch}" />`)}
  </svg>`;
}

interface Run {
  readonly outcome: CheckOutcome;
  readonly from: number;
  length: number;
}

/** Equal outcomes in a row are one dashed stroke, so that a page of thousands of checks stays small. */
function runsOf(outcomes: readonly CheckOutcome[]): readonly Run[] {
  const runs: Run[] = [];
  for (const [from, outcome] of outcomes.entries()) {
    const last = runs.at(-1);
    if (last?.outcome === outcome) last.length += 1;
    else runs.push({ outcome, from, length: 1 });
  }
  return runs;
}
