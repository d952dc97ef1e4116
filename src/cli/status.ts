import type { CheckOutcome } from '../index.ts';
import type { Painted } from './table.ts';
import { stdoutColors } from './terminal.ts';

/** Colours a text by an outcome. */
export function paintOutcome(outcome: CheckOutcome, text: string): string {
  if (outcome === 'passed') return stdoutColors.green(text);
  if (outcome === 'failed') return stdoutColors.red(text);
  return outcome === 'skipped' ? stdoutColors.dim(text) : stdoutColors.yellow(text);
}

/** A word of the service as a cell in the colour of what it means. */
export function paintedBy(outcome: CheckOutcome, text: unknown): Painted {
  return { text, paint: (shown) => paintOutcome(outcome, shown) };
}
