import type { Severity } from '../contract/validity.ts';

/** The documented severities, the least severe first; written here, as the contract's list would bring its schemas along. */
export const severities = ['info', 'warning', 'critical'] as const satisfies readonly Severity[];

/** Where a severity stands: a missing one is the default, and one that is not documented can't open a gate. */
export function severityRank(severity: string | null | undefined): number {
  const rank = severities.findIndex((known) => known === (severity?.trim().toLowerCase() ?? 'warning'));
  return rank === -1 ? severities.length : rank;
}
