import type { ValidityRuleDetail } from '../contract/validity-responses.ts';
import type { Difference } from './changes.ts';
import type { RuleDefinition } from './definition.ts';
import { compareFields, type Comparison, isEqual } from './difference.ts';
import { configKeys, ruleDefaults } from './fields.ts';

/** How a rule differs from its definition, and whether PATCH can make them equal. */
export interface RuleComparison extends Comparison {
  readonly needsReplacement: boolean;
}

/** Compares a rule with its definition; `error_message`, which no response includes, is never compared. */
export function compareRule(wanted: RuleDefinition, actual: ValidityRuleDetail): RuleComparison {
  const fields = compareFields(wanted, actual, ruleDefaults);
  const fixed = [...findFixedDifferences(wanted, actual)];
  const uncompared = [
    ...(wanted.rule_config && actual.rule_config === undefined ? ['rule_config'] : []),
    ...(wanted.error_message === undefined ? [] : ['error_message']),
    ...fields.uncompared,
  ];
  const isRenamed = wanted.name !== undefined && actual.name !== undefined && actual.name !== wanted.name;
  const renaming = isRenamed ? [{ field: 'name', from: actual.name, to: wanted.name }] : [];
  return {
    differences: [...fixed, ...renaming, ...fields.differences],
    uncompared,
    needsReplacement: fixed.length > 0,
  };
}

function* findFixedDifferences(wanted: RuleDefinition, actual: ValidityRuleDetail): Generator<Difference> {
  const { rule_type: from, rule_config } = actual;
  if (from !== undefined && from !== null && from !== wanted.rule_type) {
    yield { field: 'rule_type', from, to: wanted.rule_type };
  }
  if (rule_config === undefined) return;
  const config: Readonly<Record<string, unknown>> = wanted.rule_config ?? {};
  for (const key of configKeys) {
    const [old, now] = [normalise(rule_config?.[key]), normalise(config[key])];
    if (!isEqual(old, now)) yield { field: `rule_config.${key}`, from: rule_config?.[key], to: config[key] };
  }
}

/** A list of allowed values is a set, and an absent bound no different from a null one. */
function normalise(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(item)))].sort();
  return value ?? null;
}
