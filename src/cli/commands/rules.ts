import { Command } from '@commander-js/extra-typings';

import type { Session } from '../session.ts';
import { createRule } from './rules/create.ts';
import { deleteRules } from './rules/delete.ts';
import { getRule } from './rules/get.ts';
import { listRules } from './rules/list.ts';
import { listResults } from './rules/results.ts';

/** `dq rules`. */
export const create = (session: Session) =>
  new Command('rules')
    .description('list, check and manage validity rules; rules as code')
    .addCommand(listRules(session))
    .addCommand(getRule(session))
    .addCommand(createRule(session))
    .addCommand(listResults(session))
    .addCommand(deleteRules(session));
