import type { ValidityRule } from '../contract/validity.ts';
import { judgeCheck } from '../judgement/check.ts';
import { type Inspection, withoutResult } from './inspection.ts';
import type { RuleCheck } from './verdict.ts';

/** Checks the active ones among some rules of an asset now. */
export async function checkRules(
  { client, demand, deadline, progress, concurrency }: Inspection,
  assetId: string,
  rules: readonly ValidityRule[],
): Promise<RuleCheck[]> {
  const { signal } = deadline;
  const active = rules.filter(isActive);
  progress.start('rules', assetId, active.length);

  const ended = new Map<ValidityRule, RuleCheck>();
  const end = (check: RuleCheck): void => {
    ended.set(check.rule, check);
    progress.rule(check);
  };
  const options = {
    concurrency,
    ...(demand.sampleLimit === undefined ? {} : { sample_limit: demand.sampleLimit }),
  };
  const outcomes = client.validity.checkMany(assetId, active, options, { signal });
  try {
    for await (const { rule, ...outcome } of outcomes) {
      if ('error' in outcome) end({ assetId, rule, ...withoutResult(deadline, outcome.error) });
      else
        end({
          assetId,
          rule,
          result: outcome.result,
          ...judgeCheck(outcome.result, { rule, failOn: demand.failOn, allowEmpty: demand.allowEmpty }),
        });
    }
  } catch (error) {
    if (deadline.reason === undefined) throw error;
  }
  for (const rule of active) {
    if (!ended.has(rule)) end({ assetId, rule, ...withoutResult(deadline, undefined) });
  }
  return rules.map(
    (rule) => ended.get(rule) ?? { assetId, rule, outcome: 'skipped', reason: 'the rule is inactive' },
  );
}

/** A rule of which the service does not say so is not inactive: it must not be left out unseen. */
function isActive(rule: ValidityRule): boolean {
  return rule.is_active !== false;
}
