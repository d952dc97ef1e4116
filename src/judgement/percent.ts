/** More digits than this would no longer be read, nor are they exact. */
const mostDigits = 12;

/**
 * Writes a percentage with two decimals, or as many more as it takes not to show one above 0 as 0.00 %, nor one
 * below 100 as 100.00 %.
 *
 * @example
 * formatPercent(0.25); // '0.25 %'
 * formatPercent(0.0004); // '0.0004 %'
 */
export function formatPercent(percent: number): string {
  for (let digits = 2; digits <= mostDigits; digits++) {
    const text = percent.toFixed(digits);
    const isExtreme = Number(text) === 0 || Number(text) === 100;
    if (!isExtreme || Number(text) === percent) return `${text} %`;
  }
  return percent < 50
    ? `<${(10 ** -mostDigits).toFixed(mostDigits)} %`
    : `>${(100 - 1e-12).toFixed(mostDigits)} %`;
}
