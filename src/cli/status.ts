import type { Painted } from './table.ts';
import { stdoutColors } from './terminal.ts';

/** A status of a rule, a snapshot or of freshness as a coloured cell. */
export function paintStatus(status: string | null | undefined): Painted {
  return { text: status, paint: paints.get(status?.toLowerCase() ?? '') ?? stdoutColors.yellow };
}

const paints: ReadonlyMap<string, (text: string) => string> = new Map([
  ['pass', stdoutColors.green],
  ['fresh', stdoutColors.green],
  ['within_sla', stdoutColors.green],
  ['ok', stdoutColors.green],
  ['fail', stdoutColors.red],
  ['failed', stdoutColors.red],
  ['stale', stdoutColors.red],
  ['violated', stdoutColors.red],
]);
