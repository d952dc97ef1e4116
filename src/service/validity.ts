import {
  type CreateValidityRule,
  type ValidityCheckResult,
  type ValidityRule,
  type ValidityRuleDetail,
  validityEndpoints,
} from '../contract/index.ts';
import { defaults } from '../contract/vocabulary.ts';
import { runCheck } from './check.ts';
import type { Context } from './context.ts';
import { invalidField, ruleNotFound } from './problem.ts';
import { listRoute, objectRoute, type RoutesOf } from './route.ts';
import type { Asset, ResultRecord, RuleRecord } from './store.ts';
import { timestamp } from './timestamp.ts';

/** The endpoints of the validity rules. */
export function validityRoutes(context: Context): RoutesOf<typeof validityEndpoints> {
  const { assets, store, evaluation, now } = context;

  const find = async (params: { asset_id: string; rule_id: string }): Promise<RuleRecord> => {
    const rule = await store.rules.get(assets.byId(params.asset_id).id, params.rule_id);
    if (rule === undefined) throw ruleNotFound(params.rule_id);
    return rule;
  };

  return {
    summary: objectRoute(validityEndpoints.summary, async ({ params }) => {
      const asset = assets.byId(params.asset_id);
      const { total } = await store.rules.list(asset.id, {}, { limit: 1, offset: 0 });
      const counts = await store.results.countLatest(asset.id);
      return {
        total_rules: total,
        passing: counts.get('pass') ?? 0,
        failing: counts.get('fail') ?? 0,
        error: counts.get('error') ?? 0,
      };
    }),

    list: listRoute(validityEndpoints.list, async ({ params, query }, slice) => {
      const { rule_type, is_active } = query;
      const asset = assets.byId(params.asset_id);
      const { items, total } = await store.rules.list(asset.id, { rule_type, is_active }, slice);
      return { items: items.map(listShape), total };
    }),

    get: objectRoute(validityEndpoints.get, async ({ params }) => detailShape(await find(params))),

    create: objectRoute(validityEndpoints.create, async ({ params, body }) => {
      const rule = newRule(assets.byId(params.asset_id), body, timestamp(now()));
      const problem = await evaluation.validateRule(rule);
      if (problem !== undefined) throw invalidField(problem.field, problem.error);
      return listShape(await store.rules.insert(rule));
    }),

    update: objectRoute(validityEndpoints.update, async ({ params, body }) => {
      const { asset_id, uuid } = await find(params);
      const rule = await store.rules.update(asset_id, uuid, body);
      if (rule === undefined) throw ruleNotFound(uuid);
      return detailShape(rule);
    }),

    delete: objectRoute(validityEndpoints.delete, async ({ params }) => {
      const { asset_id, uuid } = await find(params);
      if (!(await store.rules.delete(asset_id, uuid))) throw ruleNotFound(uuid);
      return { success: true, message: `Validity rule ${uuid} was deleted` };
    }),

    check: objectRoute(validityEndpoints.check, async ({ params, body, signal }) => {
      const rule = await find(params);
      const limit = body.sample_limit ?? defaults.sampleLimit;
      const { result, samples } = await runCheck(context, rule, limit, signal);
      return {
        ...resultShape(result),
        invalid_samples: samples === null ? null : { samples: [...samples] },
      };
    }),

    results: listRoute(validityEndpoints.results, async ({ params }, slice) => {
      const { items, total } = await store.results.list((await find(params)).id, slice);
      return { items: items.map(resultShape), total };
    }),
  };
}

/** A rule with the defaults of the document. */
function newRule(asset: Asset, body: CreateValidityRule, createdAt: string): Omit<RuleRecord, 'id'> {
  const config = body.rule_config ?? {};
  return {
    uuid: `v_${crypto.randomUUID()}`,
    asset_id: asset.id,
    table_path: body.table_path,
    column_name: body.column_name ?? null,
    rule_type: body.rule_type,
    // A type without configuration has none, however that was written.
    rule_config: Object.keys(config).length === 0 ? null : { ...config },
    name: body.name ?? null,
    description: body.description ?? null,
    severity: body.severity ?? 'warning',
    error_message: body.error_message ?? null,
    is_active: true,
    alert_threshold_percent: body.alert_threshold_percent ?? null,
    treat_null_as_valid: body.treat_null_as_valid ?? false,
    check_interval: body.check_interval ?? 'daily',
    created_at: createdAt,
  };
}

function listShape(rule: RuleRecord): ValidityRule {
  return {
    id: rule.id,
    uuid: rule.uuid,
    table_path: rule.table_path,
    column_name: rule.column_name,
    rule_type: rule.rule_type,
    name: rule.name,
    severity: rule.severity,
    is_active: rule.is_active,
    check_interval: rule.check_interval,
    created_at: rule.created_at,
  };
}

function detailShape(rule: RuleRecord): ValidityRuleDetail {
  return {
    id: rule.id,
    uuid: rule.uuid,
    table_path: rule.table_path,
    column_name: rule.column_name,
    rule_type: rule.rule_type,
    rule_config: rule.rule_config,
    name: rule.name,
    description: rule.description,
    severity: rule.severity,
    is_active: rule.is_active,
    alert_threshold_percent: rule.alert_threshold_percent,
    treat_null_as_valid: rule.treat_null_as_valid,
    check_interval: rule.check_interval,
  };
}

function resultShape(result: ResultRecord): ValidityCheckResult {
  return {
    id: result.id,
    validity_rule_id: result.validity_rule_id,
    status: result.status,
    total_rows: result.total_rows,
    invalid_count: result.invalid_count,
    invalid_percent: result.invalid_percent,
    execution_duration_ms: result.execution_duration_ms,
    checked_at: result.checked_at,
    ...(result.error_message === null ? {} : { error_message: result.error_message }),
  };
}
