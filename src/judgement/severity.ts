import { defaults, severities } from '../contract/vocabulary.ts';
import { normalize } from './field.ts';

/** The severity of a rule in lower case; a rule without one has the service's default. */
export function severityOf(severity: unknown): string {
  return normalize(severity ?? defaults.severity) ?? 'of an unknown kind';
}

/** The position of a severity in their order; one that is not documented is above all others, so it never opens a gate. */
export function severityRank(severity: unknown): number {
  const rank = severities.findIndex((known) => known === severityOf(severity));
  return rank === -1 ? severities.length : rank;
}
