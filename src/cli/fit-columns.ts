/** Spaces between two columns. */
export const gap = 2;

/** A column that is cut further says nothing. */
const narrowest = 8;

/**
 * Fits columns into a width: cuts the widest but the first, which contains the id that is copied, then leaves
 * out the last ones. Returns the widths of the columns that stay.
 */
export function fitColumns(natural: readonly number[], width: number | undefined): number[] {
  if (width === undefined) return [...natural];
  const widths = [...natural];
  while (widths.length > 2 && leastOf(widths) > width) widths.pop();
  for (let excess = totalOf(widths) - width; excess > 0; excess -= 1) {
    const cuttable = widths.slice(1);
    const widest = cuttable.length === 0 ? 0 : Math.max(...cuttable);
    if (widest <= narrowest) break;
    widths[widths.lastIndexOf(widest)] = widest - 1;
  }
  return widths;
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each + gap, -gap);
}

/** The width if every column but the first is as narrow as it may be. */
function leastOf(widths: readonly number[]): number {
  return totalOf(widths.map((each, at) => (at === 0 ? each : Math.min(each, narrowest))));
}
