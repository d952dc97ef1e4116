import { Command } from '@commander-js/extra-typings';

import type { Session } from '../session.ts';
import { disableRules, enableRules } from './rules/activate.ts';
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
import { summarizeRules } from './rules/summary.ts';
import { updateRule } from './rules/update.ts';
import { validateDefinition } from './rules/validate.ts';

/** `dq rules`. */
export const create = (session: Session) =>
  new Command('rules')
    .description('list, check and manage validity rules; rules as code')
    .addCommand(listRules(session))
    .addCommand(getRule(session))
    .addCommand(createRule(session))
    .addCommand(updateRule(session))
    .addCommand(enableRules(session))
    .addCommand(disableRules(session))
    .addCommand(checkRules(session))
    .addCommand(listResults(session))
    .addCommand(summarizeRules(session))
    .addCommand(deleteRules(session))
    .addCommand(validateDefinition())
    .addCommand(planDefinition(session))
    .addCommand(applyDefinition(session))
    .addCommand(exportDefinition(session))
    .addCommand(importDbtTests())
    .addHelpText('after', examples);

const examples = `
Examples:
  $ dq rules list --active
  $ dq rules create --type NOT_NULL --table shop.main.orders --column id
  $ dq rules plan rules.yaml`;
