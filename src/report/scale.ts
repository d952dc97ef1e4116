/** An axis from the least to the greatest tick. */
export interface Axis {
  readonly low: number;
  readonly high: number;
  /** Where the lines and labels are, from the greatest to the least, evenly spaced. */
  readonly ticks: readonly number[];
}

/** Returns an axis of round numbers over these values. */
export function createAxis(values: readonly number[], { fromZero = false } = {}): Axis {
  let low = values.reduce((a, b) => Math.min(a, b), fromZero ? 0 : Number.POSITIVE_INFINITY);
  let high = values.reduce((a, b) => Math.max(a, b), fromZero ? 0 : Number.NEGATIVE_INFINITY);
  if (!(low <= high)) [low, high] = [0, 1];
  // A flat line gets room on both sides of it; one at zero stays on the ground.
  if (low === high)
    [low, high] = low === 0 ? [0, 1] : [low - Math.abs(low) * 0.1, high + Math.abs(high) * 0.1];
  const step = niceStep((high - low) / 3);
  const first = Math.floor(low / step + tolerance);
  const last = Math.max(Math.ceil(high / step - tolerance), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => round((last - at) * step));
  return { low: first * step, high: last * step, ticks };
}

/** Arithmetic of binary fractions must not add a tick. */
const tolerance = 1e-9;

function niceStep(rough: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5].find((candidate) => rough <= candidate * magnitude * 1.0001) ?? 10;
  return factor * magnitude;
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}

const units = [
  [1e12, '\u{a0}T'],
  [1e9, '\u{a0}B'],
  [1e6, '\u{a0}M'],
  [1e4, '\u{a0}K'],
] as const;

/** Writes the ticks of an axis in one unit, with as many decimals as distinguish them. */
export function formatTicks({ ticks }: Axis, suffix = ''): readonly string[] {
  const largest = Math.max(...ticks.map(Math.abs));
  const [size, unit] = units.find(([least]) => largest >= least) ?? [1, ''];
  const divisor = size === 1e4 ? 1000 : size;
  const [first = 0, second = 0] = ticks;
  const step = Math.abs(first - second) / divisor;
  const digits = Math.min(Math.max(0, -Math.floor(Math.log10(step) + tolerance)), 12);
  if (largest < 1e-4)
    return ticks.map((tick) => `${tick === 0 ? '0' : Number(tick.toPrecision(3)).toExponential()}${suffix}`);
  return ticks.map((tick) => {
    const value = (tick / divisor).toLocaleString('en-US', {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    return `${tick === 0 ? '0' : `${value}${unit}`}${suffix}`;
  });
}
