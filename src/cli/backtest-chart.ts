import type { Backtest, BacktestPoint } from '../anomalies/index.ts';
import { stdoutColors } from './terminal.ts';
import { table } from './table.ts';

/** Columns of the picture in a line. */
const width = 40;

/** Most captures in the chart: the latest. */
const mostLines = 60;

/** Draws each capture as a line: its value as a point over the band that was expected. */
export function backtestChart({ points }: Backtest): string {
  const latest = points.slice(-mostLines);
  if (latest.length === 0) return '';
  const numbers = latest
    .flatMap(({ value, expected_lower, expected_upper }) => [value, expected_lower, expected_upper])
    .filter((number) => number !== null);
  const low = Math.min(...numbers);
  const high = Math.max(...numbers);
  const column = (value: number): number =>
    high === low ? 0 : Math.round(((value - low) / (high - low)) * (width - 1));
  const isGrouped = latest.some(({ group_values }) => group_values !== null);
  const rows = latest.map((point) => [
    point.captured_at.slice(0, 16).replace('T', ' '),
    Number(point.value.toPrecision(7)),
    { text: picture(point, column), paint: point.is_anomaly ? stdoutColors.red : stdoutColors.dim },
    point.is_anomaly ? { text: 'anomaly', paint: stdoutColors.red } : '',
    ...(isGrouped ? [Object.values(point.group_values ?? {}).join(', ')] : []),
  ]);
  const head = ['CAPTURED AT', 'VALUE', 'EXPECTED ─ AND CAPTURED ●', '', ...(isGrouped ? ['GROUP'] : [])];
  const left = points.length - latest.length;
  const note = left === 0 ? '' : `${left} earlier captures are not shown.\n`;
  return `${table(head, rows, [1])}\n${note}\n`;
}

function picture(point: BacktestPoint, column: (value: number) => number): string {
  const { value, expected_lower: lower, expected_upper: upper } = point;
  const cells = Array.from({ length: width }, () => ' ');
  if (lower !== null && upper !== null) cells.fill('─', column(lower), column(upper) + 1);
  cells[column(value)] = '●';
  return cells.join('');
}
