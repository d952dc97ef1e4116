export { backtest } from './backtest.ts';
export type { Backtest, BacktestPoint, CapturedSnapshot } from './backtest.ts';
export type { JudgedMetric } from './metric-baseline.ts';
