import { ConfigurationError } from '../errors/configuration-error.ts';

/** Refuses options that count bytes, milliseconds or entries, and are not positive integers. */
export function assertPositiveIntegers(options: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Number.isInteger(value) || value < 1) {
      throw new ConfigurationError(`${name} must be a positive integer, not ${String(value)}.`);
    }
  }
}
