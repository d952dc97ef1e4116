import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';

import { assetParameter, toStandardSchema } from './tool.ts';

/** Adds what a user can start with: each prompt names the tools in the order in which they help. */
export function addPrompts(
  server: McpServer,
  { asset, readOnly }: { readonly asset: string | undefined; readonly readOnly: boolean },
): void {
  const investigated = z.strictObject({ asset_id: assetParameter(asset), rule_id: z.string() });
  server.registerPrompt(
    'investigate_failing_rule',
    {
      title: 'Investigate a failing rule',
      description: 'Finds out what a rule demands, since when it fails, which rows break it and why.',
      argsSchema: toStandardSchema(investigated, { asset }),
    },
    ({ asset_id = asset, rule_id }) => ask(investigate(String(asset_id), rule_id, readOnly)),
  );
  const monitored = z.strictObject({ asset_id: assetParameter(asset), table_path: z.string() });
  server.registerPrompt(
    'monitor_table',
    {
      title: 'Set up monitoring of a table',
      description: 'Proposes rules and metrics for a table, and creates those that the user wants.',
      argsSchema: toStandardSchema(monitored, { asset }),
    },
    ({ asset_id = asset, table_path }) => ask(monitor(String(asset_id), table_path, readOnly)),
  );
}

function ask(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function investigate(asset: string, rule: string, readOnly: boolean): string {
  const check = readOnly
    ? 'The server only reads, so the rule cannot be checked again: work with its latest result, and say when it was.'
    : 'validity_check: check the rule now, and look at the samples. They are masked: their shape may be enough to see what is wrong.';
  return `Find out why a validity rule fails. The asset is ${asset}, the rule is ${rule}.

1. validity_get: what the rule demands, of which table and column, and from which percentage on it fails.
2. validity_results: since when it fails, and whether the share of invalid rows jumped or grew.
3. ${check}
4. freshness_get: whether the data is late, and validity_list with metrics_list: what else watches the same table. metrics_snapshots shows whether its row count or its share of nulls changed at the same time.

Then report: what is wrong with the data, since when, how many rows, the most likely cause with what speaks for it, and what to do. Say which is more likely, that the data is wrong or that the rule is. A status "error" means that nobody knows: find out why the rule could not be evaluated. Do not change or delete anything without asking.`;
}

function monitor(asset: string, table: string, readOnly: boolean): string {
  const last = readOnly
    ? 'The server only reads: give the definition to the user as YAML, to be applied with the command "dq rules apply".'
    : 'When the user agrees, create what is missing with validity_create and metrics_create, check each new rule once with validity_check and capture each new metric once with metrics_capture. Report what fails at once: either the data or the rule is wrong.';
  return `Set up monitoring of the table ${table} of the asset ${asset}.

1. validity_list and metrics_list: what watches the table already. freshness_get: whether its age is watched.
2. tables_list: the columns of the table. Ask for them if the service does not list them, and for what they mean.
3. Propose few rules that matter: NOT_NULL and UNIQUE for what identifies a row, ENUM for codes, RANGE for amounts, REGEX or DATE_FORMAT for texts with a form, CUSTOM_SQL for what holds between columns. Critical only for what must stop a pipeline. Propose metrics beside them: row_count, and null_percent of columns that should be filled.
4. Write the proposal as a definition in YAML, and hold it against the asset with rules_plan, which also finds mistakes. A definition describes the whole asset: what else it would delete is not part of the proposal.
5. Show the proposal to the user, with the reason for each entry. ${last}`;
}
