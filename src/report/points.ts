import type { CheckOutcome } from '../judgement/outcome.ts';

/** A value at a time. */
export interface Point {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Undefined without a value: the line has a gap there. */
  readonly value: number | undefined;
  /** What the value means. */
  readonly outcome: CheckOutcome;
  /** The band that was expected. */
  readonly band?: readonly [lower: number, upper: number] | undefined;
  /** Rows that broke the rule. */
  readonly count?: number | undefined;
}

/**
 * Returns at most about this many points, with the same shape: of each stretch those with its least and its greatest
 * value, and all that did not pass.
 */
export function thin(points: readonly Point[], most: number): readonly Point[] {
  if (points.length <= most) return points;
  const stretch = Math.ceil((2 * points.length) / most);
  const kept = new Set<Point | undefined>([points[0], points.at(-1)]);
  for (let start = 0; start < points.length; start += stretch) {
    const part = points.slice(start, start + stretch);
    const sorted = part.filter(({ value }) => value !== undefined).toSorted(byValue);
    kept.add(sorted[0]).add(sorted.at(-1));
    for (const point of part) if (point.outcome !== 'passed') kept.add(point);
  }
  return points.filter((point) => kept.has(point));
}

function byValue(a: Point, b: Point): number {
  return (a.value ?? 0) - (b.value ?? 0);
}

/**
 * Writes points for the script of the page: `time:value:outcome:count:lower:upper`, the time in minutes since the
 * point before, in base 36. What is empty at the end is left out, and equal points in a row are written once.
 */
export function encodePoints(points: readonly Point[]): string {
  let before = 0;
  const tokens = points.map(({ at, value, outcome, count, band }) => {
    const minutes = Math.round(at / 60_000);
    const fields = [
      (minutes - before).toString(36),
      short(value),
      outcome === 'passed' ? '' : outcome.charAt(0),
      short(count),
      short(band?.[0], 4),
      short(band?.[1], 4),
    ];
    before = minutes;
    return fields.join(':').replace(/:+$/, '');
  });
  const runs: { readonly token: string; length: number }[] = [];
  for (const token of tokens) {
    const last = runs.at(-1);
    if (last?.token === token) last.length += 1;
    else runs.push({ token, length: 1 });
  }
  return runs.map(({ token, length }) => (length === 1 ? token : `${token}*${length}`)).join(';');
}

/** More digits cannot be distinguished in a chart. */
function short(value: number | undefined, digits = 7): string {
  if (value === undefined) return '';
  const rounded = Number(value.toPrecision(digits));
  const [plain, exponential] = [String(rounded), rounded.toExponential().replace('+', '')];
  return plain.length <= exponential.length ? plain : exponential;
}
