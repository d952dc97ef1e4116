import * as z from 'zod/mini';

const unitMinutes = { m: 1, h: 60, d: 1440 } as const;

/** Reads a threshold such as `90m`, `24h` or `2d` in minutes; `undefined` if it is not one. */
export function thresholdMinutes(threshold: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([mhd])$/.exec(threshold) ?? [];
  return amount === undefined ? undefined : Number(amount) * unitMinutes[unit as keyof typeof unitMinutes];
}

/** The schema of a threshold, as `sla_threshold` is written. */
export const thresholdSchema = z
  .string()
  .check(z.refine((value) => thresholdMinutes(value) !== undefined, 'must look like 90m, 24h or 2d'));
