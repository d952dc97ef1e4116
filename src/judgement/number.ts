/** Writes a number with its thousands separated, and all its decimals. */
export function formatNumber(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString('en-US') : String(value);
}

/** Writes a measured number with its thousands separated and six digits, or two decimals if that is more. */
export function formatMeasured(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) || size < 1e-6) return formatNumber(value);
  const maximumFractionDigits = Math.max(2, 5 - Math.floor(Math.log10(size)));
  return value.toLocaleString('en-US', { maximumFractionDigits });
}

/** Writes a count with its noun. */
export function plural(count: number, noun: string): string {
  return `${formatNumber(count)} ${count === 1 ? noun : `${noun}s`}`;
}
