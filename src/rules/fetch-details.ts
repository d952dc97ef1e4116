import type { DataQualityClient } from '../client.ts';
import type { ValidityRule, ValidityRuleDetail } from '../contract/validity-responses.ts';
import { isApiError } from '../errors/documented-errors.ts';
import { inParallel } from './in-parallel.ts';

/** Looks up what the list of rules does not return, by `uuid`; a rule that has gone meanwhile is left out. */
export async function fetchDetails(
  client: DataQualityClient,
  assetId: string,
  rules: readonly ValidityRule[],
  { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal | undefined },
): Promise<Map<string, ValidityRuleDetail>> {
  const details = await inParallel(rules, concurrency, async ({ uuid }) => {
    try {
      return [await client.validity.get(assetId, uuid, { signal })];
    } catch (error) {
      if (isApiError(error, 'RULE_NOT_FOUND')) return [];
      throw error;
    }
  });
  return new Map(details.flat().map((detail) => [detail.uuid, detail]));
}
