import { defaults, severities } from '../contract/vocabulary.ts';

/** Where a severity stands: a missing one is the default, and one that is not documented can't open a gate. */
export function severityRank(severity: string | null | undefined): number {
  const rank = severities.findIndex(
    (known) => known === (severity?.trim().toLowerCase() ?? defaults.severity),
  );
  return rank === -1 ? severities.length : rank;
}
