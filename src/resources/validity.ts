// The words of a user's call, one file per resource.

import type { Deletion } from '../contract/field.ts';
import type { CreateValidityRule } from '../contract/create-rule.ts';
import type {
  ValidityCheck,
  ValidityCheckResult,
  ValidityRule,
  ValidityRuleDetail,
  ValiditySummary,
} from '../contract/validity-responses.ts';
import {
  type CheckValidityRule,
  type UpdateValidityRule,
  validityEndpoints,
  type ValidityListQuery,
  type ValidityResultsQuery,
} from '../contract/validity.ts';
import type { ApiPromise } from '../http/api-promise.ts';
import type { Call } from '../http/call.ts';
import { type ListOptions, type PagePromise, requestPages } from '../http/paging/pages.ts';
import type { RequestOptions } from '../http/settings.ts';
import { type BulkOptions, type Settled, settleMany } from './settle-many.ts';

/** How many checks run at once, and what each of them collects. */
export interface CheckManyOptions extends BulkOptions, CheckValidityRule {}

/** How the check of one rule ended. */
export type SettledCheck<Rule> = {
  /** The rule that was checked. */
  readonly rule: Rule;
} & Settled<ValidityCheck>;

/** Validity rules: define them on columns, check them, read their results. */
export class ValidityResource {
  readonly #call: Call;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
  }

  /** Counts the rules of an asset by the outcome of their latest check. */
  summary(assetId: string, options?: RequestOptions): ApiPromise<ValiditySummary> {
    return this.#call(validityEndpoints.summary, { params: { asset_id: assetId } }, options);
  }

  /**
   * Lists the rules of an asset; `limit` is the page size, 1 to 100, default 50.
   *
   * @example
   * for await (const rule of client.validity.list(assetId, { is_active: true })) console.log(rule.name);
   */
  list(assetId: string, query?: ValidityListQuery, options?: ListOptions): PagePromise<ValidityRule> {
    return requestPages(
      this.#call,
      validityEndpoints.list,
      { params: { asset_id: assetId }, query },
      options,
    );
  }

  /**
   * Returns one rule with its configuration.
   *
   * @throws {RuleNotFoundError} if the asset has no such rule.
   */
  get(assetId: string, ruleId: string, options?: RequestOptions): ApiPromise<ValidityRuleDetail> {
    return this.#call(validityEndpoints.get, { params: { asset_id: assetId, rule_id: ruleId } }, options);
  }

  /**
   * Creates a rule; what `rule_config` and `column_name` must contain depends on `rule_type`. Needs the scope
   * `read-write`. Never sent twice unless the first attempt surely did not arrive.
   *
   * @throws {ValidationError} if the service refuses the configuration.
   *
   * @example
   * await client.validity.create(assetId, {
   *   rule_type: 'RANGE', table_path: 'shop.sales.orders', column_name: 'amount', rule_config: { min: 0 },
   * });
   */
  create(assetId: string, body: CreateValidityRule, options?: RequestOptions): ApiPromise<ValidityRule> {
    return this.#call(validityEndpoints.create, { params: { asset_id: assetId }, body }, options);
  }

  /**
   * Changes a rule and returns what the response contains, `{}` if it contains nothing: the interface does not
   * show it. Needs the scope `read-write`.
   *
   * @throws {RuleNotFoundError} if the asset has no such rule.
   */
  update(
    assetId: string,
    ruleId: string,
    patch: UpdateValidityRule,
    options?: RequestOptions,
  ): ApiPromise<Partial<ValidityRuleDetail>> {
    const params = { asset_id: assetId, rule_id: ruleId };
    return this.#call(validityEndpoints.update, { params, body: patch }, options);
  }

  /**
   * Deletes a rule. Needs the scope `read-write`.
   *
   * @throws {RuleNotFoundError} if the asset has no such rule.
   */
  delete(assetId: string, ruleId: string, options?: RequestOptions): ApiPromise<Deletion> {
    return this.#call(validityEndpoints.delete, { params: { asset_id: assetId, rule_id: ruleId } }, options);
  }

  /**
   * Checks a rule now; the result has samples of the invalid rows, at most `sample_limit` (default 10).
   * Needs the scope `read-write`. An attempt may take 300,000 ms by default.
   *
   * @throws {RuleNotFoundError} if the asset has no such rule.
   *
   * @example
   * const { status, invalid_percent } = await client.validity.check(assetId, rule.uuid, { sample_limit: 5 });
   */
  check(
    assetId: string,
    ruleId: string,
    body: CheckValidityRule = {},
    options?: RequestOptions,
  ): ApiPromise<ValidityCheck> {
    return this.#call(
      validityEndpoints.check,
      { params: { asset_id: assetId, rule_id: ruleId }, body },
      options,
    );
  }

  /**
   * Lists the results of a rule, newest first; `limit` is the page size, default 100.
   *
   * @throws {RuleNotFoundError} if the asset has no such rule.
   */
  results(
    assetId: string,
    ruleId: string,
    query?: ValidityResultsQuery,
    options?: ListOptions,
  ): PagePromise<ValidityCheckResult> {
    const params = { asset_id: assetId, rule_id: ruleId };
    return requestPages(this.#call, validityEndpoints.results, { params, query }, options);
  }

  /**
   * Checks many rules, several at once (`concurrency`, default 8), and yields each outcome as its check ends; a
   * check that fails does not touch the others. Rules are taken up only as fast as outcomes are consumed, and
   * leaving the loop cancels the checks under way.
   *
   * @throws {AbortError} only when the signal aborts.
   *
   * @example
   * for await (const outcome of client.validity.checkMany(assetId, client.validity.list(assetId))) {
   *   if ('error' in outcome) console.error(outcome.rule.name, outcome.error);
   *   else console.log(outcome.rule.name, outcome.result.status);
   * }
   */
  async *checkMany<Rule extends string | Pick<ValidityRule, 'uuid'>>(
    assetId: string,
    rules: Iterable<Rule> | AsyncIterable<Rule>,
    { concurrency, ...body }: CheckManyOptions = {},
    options: RequestOptions = {},
  ): AsyncGenerator<SettledCheck<Rule>, void> {
    const check = (rule: Rule, signal: AbortSignal): Promise<ValidityCheck> =>
      this.check(assetId, typeof rule === 'string' ? rule : rule.uuid, body, { ...options, signal });
    const bulk = { concurrency, signal: options.signal };
    const outcomes = settleMany(validityEndpoints.check, rules, check, bulk);
    for await (const { item: rule, ...outcome } of outcomes) yield { rule, ...outcome };
  }
}
