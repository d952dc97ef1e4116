import { ConfigurationError } from '../errors.ts';

/** The value of an option that counts bytes, milliseconds or entries. */
export function positiveInteger(option: string, value: number): number {
  if (Number.isInteger(value) && value > 0) return value;
  throw new ConfigurationError(`${option} must be a positive integer, not ${String(value)}.`);
}
