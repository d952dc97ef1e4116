import type { Freshness } from '../index.ts';
import { drawChart, phoneWidth, timeAxes } from './chart.ts';

const size = { width: phoneWidth, height: 170 };
const hourMs = 3_600_000;
/** Below this, hours would all be decimals. */
const fewHoursMs = 2 * hourMs;
/** The part of the threshold from which the service warns. */
const warningPart = 0.8;

/**
 * Draws the age of the data since its last update against the threshold of the service; `undefined` if the
 * reading lacks a time. The service keeps no history of freshness: this is what one reading shows.
 */
export function drawFreshness(reading: Freshness): string | undefined {
  const updated = Date.parse(reading.last_updated ?? '');
  const minutes = reading.data_age_minutes;
  const threshold = thresholdOf(reading);
  if (Number.isNaN(updated) || typeof minutes !== 'number' || threshold === undefined) return undefined;
  const age = minutes * 60_000;
  const span = Math.max(age, threshold * 1.25);
  const [unit, name] = span > fewHoursMs ? [hourMs, 'hours'] : [60_000, 'minutes'];
  const { grid, xAxis, yAxis } = timeAxes(`age in ${name}`);
  const now = [updated + age, age / unit];
  const line = {
    type: 'line' as const,
    showSymbol: false,
    data: [[updated, 0], now],
    lineStyle: { color: 'var(--line0)', width: 2 },
    markLine: {
      symbol: 'none',
      silent: true,
      lineStyle: { color: 'var(--bad)', type: 'dashed' as const },
      label: { color: 'var(--ink)', formatter: `SLA ${reading.sla_threshold ?? ''}` },
      data: [{ yAxis: threshold / unit }],
    },
    markArea: {
      silent: true,
      data: [
        zone((threshold / unit) * warningPart, threshold / unit, 'var(--warn)'),
        zone(threshold / unit, span / unit, 'var(--bad)'),
      ],
    },
  };
  const here = { type: 'scatter' as const, symbolSize: 9, data: [now], itemStyle: { color: 'var(--line0)' } };
  return drawChart(
    {
      grid: { ...grid, right: 64 },
      xAxis: { ...xAxis, min: updated, max: updated + span },
      yAxis: { ...yAxis, min: 0, max: span / unit },
      series: [line, here],
    },
    size,
  );
}

function zone(from: number, to: number, color: string): [object, object] {
  return [{ yAxis: from, itemStyle: { color, opacity: 0.12 } }, { yAxis: to }];
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: hourMs, d: 24 * hourMs };

/** The threshold is documented as a number with a unit, such as hours. */
function thresholdOf({ sla_threshold }: Freshness): number | undefined {
  const [, digits, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([smhd])/i.exec(sla_threshold ?? '') ?? [];
  const milliseconds = Number(digits) * (unitMs[unit.toLowerCase()] ?? Number.NaN);
  return milliseconds > 0 ? milliseconds : undefined;
}
