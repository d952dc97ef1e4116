import * as z from 'zod/mini';

import type { DataQualityClient } from '../index.ts';
import { type Change, type Changes, hasChanges, parseDefinition, plan } from '../rules/index.ts';
import { assetParameter, defineTool, reads, type Tool, type ToolOptions } from './tool.ts';

/** Makes the tool that compares an asset with a definition of rules and metrics. */
export function planTool(client: DataQualityClient, options: ToolOptions): Tool {
  return defineTool({
    name: 'rules_plan',
    title: 'Plan rules as code',
    description: `Shows what a definition of rules and metrics would create, update, replace and delete on an asset; changes nothing. It also shows whether the definition is valid. The user applies it with the command "dq rules apply". Example of a definition:
${example}`,
    input: z.strictObject({
      asset_id: assetParameter(options.asset),
      source: z.string().check(z.minLength(1, 'must not be empty')),
      environment: z.optional(z.string()),
    }),
    output: z.looseObject({
      has_changes: z.boolean(),
      counts: z.record(z.string(), z.number()),
      changes: z.array(z.looseObject({ action: z.string(), kind: z.string() })),
      note: z.optional(z.string()),
    }),
    effect: reads,
    more: 'Plan fewer tables at once.',
    run: async ({ asset_id, source, environment }, { signal }) => {
      const definition = parseDefinition(source, { environment });
      const changes = await plan(client, String(asset_id ?? options.asset), definition, { signal });
      return show(changes);
    },
  });
}

function show(changes: Changes) {
  const { create, update, replace, delete: gone, unchanged, kept } = changes;
  return {
    has_changes: hasChanges(changes),
    counts: {
      create: create.length,
      update: update.length,
      replace: replace.length,
      delete: gone.length,
      unchanged: unchanged.length,
      kept: kept.length,
    },
    changes: [...create, ...update, ...replace, ...gone].map(showChange),
  };
}

/** Without the body of the request: what differs says more in less. */
function showChange(change: Change) {
  const { action, kind, table_path, column_name, label, requires } = change;
  return {
    action,
    kind,
    table_path,
    column_name,
    label,
    ...('id' in change && { id: change.id }),
    ...('reason' in change && { reason: change.reason }),
    ...('differences' in change && { differences: change.differences }),
    ...(requires !== undefined && { requires }),
  };
}

const example = `tables:
  shop.main.orders:
    rules:
      - { rule_type: NOT_NULL, column_name: id, severity: critical }
      - { name: plausible, rule_type: RANGE, column_name: amount, rule_config: { min: 0 } }
    metrics:
      - { metric_type: row_count }`;
