import type { ValidityRule } from '../contract/validity-responses.ts';
import type { Definition, RuleDefinition } from './definition.ts';
import { isUnnamed, placeKey } from './key.ts';

/** A rule of the definition and what the service has under its key, the oldest first. */
export interface RuleMatch {
  readonly table_path: string;
  readonly wanted: RuleDefinition;
  readonly candidates: readonly ValidityRule[];
  /**
   * Whether the candidates have names although the definition gives none: a service may name rules by itself, so
   * they count if they are equal, and are left alone if they are not.
   */
  readonly isAdoption: boolean;
}

/** Finds what the service has for each rule of the definition. */
export function matchRules(definition: Definition, listed: readonly ValidityRule[]): RuleMatch[] {
  const places = Map.groupBy(
    listed.toSorted((a, b) => a.id - b.id),
    ({ table_path, column_name }) => placeKey(table_path, column_name),
  );
  return Object.entries(definition.tables).flatMap(([table_path, { rules = [] }]) => {
    const byPlace = Map.groupBy(rules, ({ column_name }) => placeKey(table_path, column_name));
    return rules.map((wanted): RuleMatch => {
      const place = placeKey(table_path, wanted.column_name);
      const present = places.get(place) ?? [];
      const neighbours = byPlace.get(place) ?? [];
      if (wanted.name !== undefined) {
        const named = present.filter(({ name }) => name === wanted.name);
        const candidates = named.length > 0 ? named : findRenamed(wanted, present, neighbours);
        return { table_path, wanted, candidates, isAdoption: false };
      }
      const ofType = present.filter(({ rule_type }) => rule_type === wanted.rule_type);
      const unnamed = ofType.filter(isUnnamed);
      if (unnamed.length > 0) return { table_path, wanted, candidates: unnamed, isAdoption: false };
      const candidates = ofType.filter(({ name }) => !neighbours.some((other) => other.name === name));
      return { table_path, wanted, candidates, isAdoption: true };
    });
  });
}

/** The rules that had the name before, unless that is still the name of another one, or an earlier one had it too. */
function findRenamed(
  wanted: RuleDefinition,
  present: readonly ValidityRule[],
  neighbours: readonly RuleDefinition[],
): ValidityRule[] {
  const { renamed_from } = wanted;
  if (renamed_from === undefined) return [];
  const isTaken = neighbours.some(({ name }) => name === renamed_from);
  const first = neighbours.find((rule) => rule.renamed_from === renamed_from);
  return isTaken || first !== wanted ? [] : present.filter(({ name }) => name === renamed_from);
}
