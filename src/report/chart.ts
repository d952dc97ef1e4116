// Charts are SVG that stretches with the page, and their labels are text of the page beside it: so no label is cut
// off, whatever the font. A chart library would have to guess how wide a text gets.
import { html, type Markup } from './markup.ts';
import { encodePoints, type Point, thin } from './points.ts';
import { type Axis, createAxis, formatTicks } from './scale.ts';
import { formatDay, formatMoment } from './time.ts';

/** What a chart shows. */
export interface Chart {
  /** What is drawn, for those who do not see it. */
  readonly label: string;
  /** Each a line, oldest point first. */
  readonly lines: readonly (readonly Point[])[];
  /** What follows each value, such as ` %`. */
  readonly unit?: string | undefined;
  /** The value above which a check fails. */
  readonly threshold?: number | undefined;
  /** Whether the axis begins at zero, so that lengths can be compared. */
  readonly fromZero?: boolean | undefined;
  /** Most points per line. */
  readonly mostPoints?: number | undefined;
}

/** Width and height of the drawing in its own units; the page stretches it. */
const width = 600;
const height = 200;

/** Draws lines over time with their band, the threshold, and a mark at each point that did not pass. */
export function drawChart({ label, lines, unit = '', threshold, fromZero, mostPoints = 400 }: Chart): Markup {
  const drawn = lines.map((points) => thin(points, mostPoints));
  const points = drawn.flat();
  const times = points.map(({ at }) => at);
  const from = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const to = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const numbers = points.flatMap(({ value, band }) => [value, ...(band ?? [])]);
  const axis = createAxis(
    [...numbers, threshold].filter((value) => value !== undefined),
    { fromZero: fromZero === true },
  );
  const place = createPlace(axis, from, to);
  const ticks = axis.ticks.map((tick) => `M0 ${place.y(tick)}h${width}`).join('');
  return html`<div class="chart">
    <div class="y" aria-hidden="true">
      ${formatTicks(axis, unit).map((tick) => html`<span>${tick}</span>`)}
    </div>
    <div
      class="plot"
      role="img"
      aria-label="${label}"
      data-x="${Math.round(from / 60_000)} ${Math.round(to / 60_000)}"
      data-y="${axis.low} ${axis.high}"
      data-unit="${unit}"
    >
      <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">
        <path class="grid" d="${ticks}" />
        ${drawn.map((line) => drawBand(line, place))}
        ${threshold !== undefined && html`<path class="limit" d="M0 ${place.y(threshold)}h${width}" />`}
        ${drawn.map((line, at) => html`<path class="line l${at}" d="${linePath(line, place)}" data-p="${encodePoints(line)}" />`)}
        ${drawn.map((line, at) => drawLone(line, at, place))}
        ${marked.map((outcome) => drawMarks(points, outcome, place))}
      </svg>
    </div>
    ${timeLabels(from, to)}
  </div>`;
}

/** The ends of a time axis as text of the page. */
export function timeLabels(from: number, to: number): Markup {
  const isShort = to - from < 2 * 86_400_000;
  const write = isShort ? formatMoment : formatDay;
  return html`<div class="x" aria-hidden="true">
    ${from === to ? html`<span>${formatMoment(from)}</span>` : [from, to].map((time) => html`<span>${write(time)}</span>`)}
  </div>`;
}

interface Place {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
}

function createPlace({ low, high }: Axis, from: number, to: number): Place {
  return {
    x: (at) => (from === to ? width / 2 : Math.round(((at - from) / (to - from)) * width)),
    y: (value) => Math.round((1 - (value - low) / (high - low)) * height),
  };
}

/** Draws with relative steps, which are shorter to write, and leaves out what lies on a level line. */
function linePath(points: readonly Point[], { x, y }: Place): string {
  let path = '';
  let pen: { readonly x: number; readonly y: number } | undefined;
  for (const [at, point] of points.entries()) {
    if (point.value === undefined) {
      pen = undefined;
      continue;
    }
    const here = { x: x(point.at), y: y(point.value) };
    const next = points[at + 1]?.value;
    if (pen === undefined) {
      path += `M${here.x} ${here.y}`;
    } else if (pen.y === here.y && next !== undefined && y(next) === here.y) continue;
    else path += step(here.x - pen.x, here.y - pen.y);
    pen = here;
  }
  return path;
}

/** Draws values with none beside them as dots, as they do not form a line. */
function drawLone(points: readonly Point[], line: number, { x, y }: Place): Markup | undefined {
  const lone = points.flatMap(({ at: time, value }, at) =>
    value === undefined || points[at - 1]?.value !== undefined || points[at + 1]?.value !== undefined
      ? []
      : [`M${x(time)} ${y(value)}h.1`],
  );
  return lone.length === 0 ? undefined : html`<path class="dot lone l${line}" d="${lone.join('')}" />`;
}

function step(x: number, y: number): string {
  return y === 0 ? `h${x}` : `l${x}${y < 0 ? '' : ' '}${y}`;
}

function drawBand(points: readonly Point[], { x, y }: Place): Markup | undefined {
  const known = points.flatMap(({ at, band }) => (band === undefined ? [] : [{ at: x(at), band }]));
  if (known.length < 2) return undefined;
  const there = known.map((point) => ({ x: point.at, y: y(point.band[1]) }));
  const back = known.map((point) => ({ x: point.at, y: y(point.band[0]) })).toReversed();
  const outline = [...there, ...back];
  const steps = outline.map((here, at) => {
    const before = outline[at - 1];
    return before === undefined ? `M${here.x} ${here.y}` : step(here.x - before.x, here.y - before.y);
  });
  return html`<path class="band" d="${steps.join('')}z" />`;
}

/** Outcomes whose points are marked, what matters most last and so on top. */
const marked = ['tolerated', 'inconclusive', 'failed'] as const;

/** Dots are strokes without length: their round caps stay round however the chart is stretched. */
function drawMarks(
  points: readonly Point[],
  outcome: (typeof marked)[number],
  { x, y }: Place,
): Markup | undefined {
  const found = points.flatMap((point) =>
    point.outcome === outcome && point.value !== undefined ? [`M${x(point.at)} ${y(point.value)}h.1`] : [],
  );
  return found.length === 0 ? undefined : html`<path class="dot ${outcome}" d="${found.join('')}" />`;
}
