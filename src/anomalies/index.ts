// Arithmetic over captured values: the service judges with it, the command line and the report replay it.

export { backtest } from './backtest.ts';
export type { Backtest, BacktestPoint, PastSnapshot } from './backtest.ts';
export type { JudgedMetric } from './metric-baseline.ts';
