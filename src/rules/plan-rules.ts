import type { ValidityRule, ValidityRuleDetail } from '../contract/validity-responses.ts';
import type { UpdateValidityRule } from '../contract/validity.ts';
import type { RuleChange } from './changes.ts';
import { compareRule, type RuleComparison } from './compare-rule.ts';
import type { RuleMatch } from './match-rules.ts';
import { ruleLabel } from './key.ts';
import { labelsIn } from './labels.ts';

/** A rule of the service under the key of one of the definition, and how the two differ. */
interface Candidate {
  readonly detail: ValidityRuleDetail;
  readonly comparison: RuleComparison;
}

/** What is to become of each rule; `details` has the response of the service for every candidate that still exists. */
export function planRules(
  matches: readonly RuleMatch[],
  listed: readonly ValidityRule[],
  details: ReadonlyMap<string, ValidityRuleDetail>,
): RuleChange[] {
  const known = new Set<string>();
  const changes = matches.flatMap((match) => {
    const candidates = match.candidates.flatMap(({ uuid }): Candidate[] => {
      const detail = details.get(uuid);
      return detail === undefined ? [] : [{ detail, comparison: compareRule(match.wanted, detail) }];
    });
    const eligible = match.isAdoption
      ? candidates.filter(({ comparison }) => !comparison.needsReplacement).slice(0, 1)
      : candidates;
    for (const { detail } of eligible) known.add(detail.uuid);
    return reconcile(match, eligible);
  });
  const rest = listed.filter(({ uuid }) => !known.has(uuid));
  return [...changes, ...rest.map((rule) => remove(rule, 'not in the definition', 'prune'))];
}

/** Keeps the rule that is nearest to its definition; the others of its key have no place. */
function reconcile({ table_path, wanted }: RuleMatch, candidates: readonly Candidate[]): RuleChange[] {
  const [kept, ...others] = candidates.toSorted((a, b) => distance(a) - distance(b));
  const subject = {
    kind: 'rule',
    table_path,
    column_name: wanted.column_name ?? null,
    label: ruleLabel(wanted),
    ...labelsIn(wanted),
  } as const;
  const { is_active = true, renamed_from: _renamed, owner: _owner, tags: _tags, ...fields } = wanted;
  const body = { ...fields, table_path };
  if (kept === undefined) return [{ ...subject, action: 'create', body, is_active }];

  const { differences, uncompared, needsReplacement } = kept.comparison;
  const id = kept.detail.uuid;
  const extra = others.map((other) =>
    other.comparison.needsReplacement
      ? // What an interrupted replacement leaves behind.
        remove(other.detail, 'replaced by another rule of this name', 'replace')
      : remove(other.detail, 'a copy of another rule of this name', 'prune'),
  );
  if (needsReplacement) {
    return [
      { ...subject, action: 'replace', id, body, is_active, differences, uncompared, requires: 'replace' },
      ...extra,
    ];
  }
  if (differences.length === 0) return [{ ...subject, action: 'unchanged', id, uncompared }, ...extra];
  // Each field that differs is one that PATCH takes, with the value of its definition or default.
  const patch = Object.fromEntries(differences.map(({ field, to }) => [field, to])) as UpdateValidityRule;
  return [{ ...subject, action: 'update', id, patch, differences, uncompared }, ...extra];
}

function distance({ comparison }: Candidate): number {
  return comparison.differences.length + (comparison.needsReplacement ? 100 : 0);
}

function remove(
  rule: ValidityRule | ValidityRuleDetail,
  reason: string,
  requires: 'prune' | 'replace',
): RuleChange {
  const { uuid: id, table_path, column_name } = rule;
  const subject = { kind: 'rule', table_path: table_path ?? '', column_name: column_name ?? null } as const;
  return { ...subject, label: ruleLabel(rule), action: 'delete', id, reason, requires };
}
