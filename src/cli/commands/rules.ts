import { Command } from '@commander-js/extra-typings';

import type { Session } from '../session.ts';
import { applyDefinition } from './rules/apply.ts';
import { checkRules } from './rules/check.ts';
import { createRule } from './rules/create.ts';
import { deleteRules } from './rules/delete.ts';
import { exportDefinition } from './rules/export.ts';
import { getRule } from './rules/get.ts';
import { importDbtTests } from './rules/import-dbt.ts';
import { listRules } from './rules/list.ts';
import { planDefinition } from './rules/plan.ts';
import { listResults } from './rules/results.ts';

/** `dq rules`. */
export const create = (session: Session) =>
  new Command('rules')
    .description('list, check and manage validity rules; rules as code')
    .addCommand(listRules(session))
    .addCommand(getRule(session))
    .addCommand(createRule(session))
    .addCommand(checkRules(session))
    .addCommand(listResults(session))
    .addCommand(deleteRules(session))
    .addCommand(planDefinition(session))
    .addCommand(applyDefinition(session))
    .addCommand(exportDefinition(session))
    .addCommand(importDbtTests());
