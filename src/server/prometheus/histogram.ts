import type { Labels, Sample } from './exposition.ts';

/** Upper ends of the buckets, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

interface Series {
  readonly labels: Labels;
  /** How many values each bucket has by itself; the last one has what is above all bounds. */
  readonly counts: number[];
  sum: number;
}

/** Counts durations by size. */
export class Histogram {
  readonly #series = new Map<string, Series>();

  /** Counts a duration in seconds. */
  observe(labels: Labels, seconds: number): void {
    const key = JSON.stringify(labels);
    const series = this.#series.get(key) ?? {
      labels,
      counts: Array.from({ length: bounds.length + 1 }, () => 0),
      sum: 0,
    };
    const bucket = bounds.findIndex((bound) => seconds <= bound);
    const at = bucket === -1 ? bounds.length : bucket;
    series.counts[at] = (series.counts[at] ?? 0) + 1;
    series.sum += seconds;
    this.#series.set(key, series);
  }

  /** What was counted so far. */
  samples(): readonly Sample[] {
    return Array.from(this.#series.values(), samplesOf).flat();
  }
}

function samplesOf({ labels, counts, sum }: Series): readonly Sample[] {
  let total = 0;
  const samples: Sample[] = counts.map((count, at) => {
    total += count;
    const le = at < bounds.length ? String(bounds[at]) : '+Inf';
    return { suffix: '_bucket', labels: Object.assign({}, labels, { le }), value: total };
  });
  samples.push({ suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: total });
  return samples;
}
