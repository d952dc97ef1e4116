export { backtest } from './backtest.ts';
export type { Backtest, BacktestPoint, PastSnapshot } from './backtest.ts';
export type { JudgedMetric } from './metric-baseline.ts';
