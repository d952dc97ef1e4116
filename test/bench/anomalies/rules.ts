import { Baseline } from '../../../src/anomalies/baseline.ts';
import type { Series } from './series.ts';

/** A way to tell anomalies: asked about a value, then taught the one that came. */
export interface Rule {
  readonly isAnomaly: (value: number, at: number) => boolean;
  readonly learn: (value: number, at: number) => void;
}

/** This package. */
export const ours = ({ interval, isCount }: Series): Rule => {
  const baseline = new Baseline({ interval, sensitivity: 1, isCount, neverEmpty: isCount });
  return {
    isAnomaly(value, at) {
      baseline.advanceTo(at);
      return baseline.judge(value, at).isAnomaly;
    },
    learn: (value, at) => void baseline.learn(value, at),
  };
};

/** Mean and deviation of the latest values, or of all. */
const meanAndDeviation = (window: number) => (): Rule => {
  const history: number[] = [];
  return {
    isAnomaly(value) {
      if (history.length < 5) return false;
      const mean = history.reduce((sum, earlier) => sum + earlier, 0) / history.length;
      const deviation = Math.sqrt(
        history.reduce((sum, earlier) => sum + (earlier - mean) ** 2, 0) / (history.length - 1),
      );
      return Math.abs(value - mean) > 3 * deviation;
    },
    learn(value) {
      history.push(value);
      if (history.length > window) history.shift();
    },
  };
};

/** The default of Elementary's anomaly tests. */
export const elementary = meanAndDeviation(14);

/** What this package did before: every earlier value counts. */
export const former = meanAndDeviation(Infinity);
