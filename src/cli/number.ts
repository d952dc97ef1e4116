import { InvalidArgumentError } from '@commander-js/extra-typings';

/** Reads a whole number of at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least) return value;
    throw new InvalidArgumentError(`Give a whole number, ${least} or more.`);
  };
}

/** Reads any finite number. */
export function finiteNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('Give a number.');
}

/** Reads a finite number above 0. */
export function positiveNumber(text: string): number {
  const value = finiteNumber(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('Give a number above 0.');
}
