import type { ValidityRule } from '../contract/validity-responses.ts';
import { judgeCheck } from '../judgement/check.ts';
import { inconclusive, type Inspection, labelsOfItem } from './inspection.ts';
import { isActive } from './selection.ts';
import type { RuleCheck } from './verdict.ts';

/** Checks the active ones among the selected rules of an asset now. */
export async function checkRules(
  inspection: Inspection,
  assetId: string,
  rules: readonly ValidityRule[],
): Promise<RuleCheck[]> {
  const { progress, limit } = inspection;
  progress.start('rules', assetId, rules.filter(isActive).length);
  return await Promise.all(
    rules.map(async (rule): Promise<RuleCheck> => {
      const subject = { assetId, rule, ...labelsOfItem(inspection, rule) };
      if (!isActive(rule)) return { ...subject, outcome: 'skipped', reason: 'the rule is inactive' };
      const check = { ...subject, ...(await limit(() => checkRule(inspection, assetId, rule))) };
      progress.rule(check);
      return check;
    }),
  );
}

async function checkRule(
  { client, options, deadline }: Inspection,
  assetId: string,
  rule: ValidityRule,
): Promise<RuleCheck> {
  const { failOn, allowEmpty, sampleLimit } = options;
  const body = sampleLimit === undefined ? {} : { sample_limit: sampleLimit };
  try {
    const result = await client.validity.check(assetId, rule.uuid, body, { signal: deadline.signal });
    return { assetId, rule, result, ...judgeCheck(result, { rule, failOn, allowEmpty }) };
  } catch (error) {
    return { assetId, rule, ...inconclusive(deadline, error) };
  }
}
