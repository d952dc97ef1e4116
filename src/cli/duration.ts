import { InvalidArgumentError } from '@commander-js/extra-typings';

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a duration such as `500ms`, `90s`, `15m`, `2h` or `1d` into milliseconds; a bare number counts seconds. */
export function duration(text: string): number {
  const [, digits = '', unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text) ?? [];
  const milliseconds = Number(digits) * (unitMs[unit] ?? 0);
  if (!(milliseconds > 0))
    throw new InvalidArgumentError('Give a duration such as 500ms, 90s, 15m, 2h or 1d.');
  return milliseconds;
}

/** Writes milliseconds as people do: `340 ms`, `12.5 s`, `3 min`, `5 h`, `2 d`. */
export function describeDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const [divisor, unit] = scale.find(([, , below]) => milliseconds < below) ?? [86_400_000, 'd'];
  const value = milliseconds / divisor;
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${unit}`;
}

const scale = [
  [1000, 's', 120_000],
  [60_000, 'min', 7_200_000],
  [3_600_000, 'h', 172_800_000],
] as const;
