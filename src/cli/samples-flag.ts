import { choice } from './choice.ts';

/** Reads `--samples`: a log of a CI job is read by more people than the data is meant for. */
export const samplesFlag = () =>
  choice('--samples <mode>', 'values of invalid rows that are shown; masked under CI by default, else full', [
    'none',
    'masked',
    'full',
  ]);

/** How many samples are shown by default. */
export function defaultSamples(): 'masked' | 'full' {
  const { CI } = process.env;
  return CI === undefined || CI === '' || CI === 'false' || CI === '0' ? 'full' : 'masked';
}
