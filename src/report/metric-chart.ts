import { isAnomaly } from '../judgement/capture.ts';
import { drawChart, phoneWidth, timeAxes } from './chart.ts';
import type { ReportedMetric } from './report.ts';

/** More lines than this cannot be distinguished. */
export const mostLines = 6;

const size = { width: phoneWidth, height: 150 };

/** Draws the values of a metric as lines, one a group, with the anomalies marked. */
export function drawMetric({ series }: ReportedMetric): string {
  const shown = series.slice(0, mostLines);
  const lines = shown.map(({ snapshots }, at) => ({
    type: 'line' as const,
    // A single value would be no line.
    showSymbol: snapshots.length < 2,
    symbolSize: 5,
    connectNulls: false,
    data: snapshots.map(({ captured_at, value }) => [captured_at ?? '', value ?? '-']),
    lineStyle: { color: `var(--line${at})`, width: 1.2 },
    itemStyle: { color: `var(--line${at})` },
  }));
  const anomalies = shown
    .flatMap(({ snapshots }) => snapshots)
    .filter((snapshot) => isAnomaly(snapshot) && typeof snapshot.value === 'number')
    .map(({ captured_at, value }) => [captured_at ?? '', value ?? '-']);
  const marks = {
    type: 'scatter' as const,
    symbol: 'diamond',
    symbolSize: 10,
    data: anomalies,
    itemStyle: { color: 'var(--bad)' },
    z: 3,
  };
  return drawChart({ ...timeAxes(), series: [...lines, marks] }, size);
}
