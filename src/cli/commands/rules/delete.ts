import { isApiError, type ValidityRuleDetail } from '../../../index.ts';
import { CliError } from '../../cli-error.ts';
import { confirm } from '../../confirm.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import { exitCode } from '../../../judgement/exit-code.ts';
import type { Session } from '../../session.ts';
import { print } from '../../terminal.ts';

/** `dq rules delete`. */
export const deleteRules = (session: Session) =>
  assetCommand('delete')
    .summary('delete rules and their results')
    .description(
      'Deletes rules and their results. Nothing is deleted if one of the rules does not exist. Asks first on a terminal.',
    )
    .argument('<rule-id...>', 'the uuids of the rules, v_…')
    .option('--yes', 'do not ask')
    .addHelpText('after', examples)
    .action(async (ruleIds, options) => {
      const { client, asset } = await connectToAsset(options);
      const { signal } = session;
      const rules = await findAll(ruleIds, (id) => client.validity.get(asset, id, { signal }));
      const count =
        rules.length === 1 ? 'this rule and its results' : `these ${rules.length} rules and their results`;
      await confirm(`${rules.map(describe).join('\n')}\nDelete ${count}?`, options.yes, signal);
      const deleted: ValidityRuleDetail[] = [];
      try {
        for (const rule of rules) {
          await client.validity.delete(asset, rule.uuid, { signal });
          deleted.push(rule);
          session.progress = `deleted ${deleted.map(({ uuid }) => uuid).join(', ')}`;
        }
      } finally {
        // Also if one could not be deleted: what is gone must be known.
        if (deleted.length > 0) {
          print(options.json, { deleted: deleted.map(({ uuid }) => uuid) }, () =>
            deleted.map((rule) => `Deleted ${describe(rule)}`).join('\n'),
          );
        }
      }
    });

/** Finds what is named before anything is changed. Ends the command with every id that there is none for. */
async function findAll<Item>(
  ids: readonly string[],
  find: (id: string) => Promise<Item>,
): Promise<readonly Item[]> {
  const missing: string[] = [];
  const found: Item[] = [];
  for (const id of new Set(ids)) {
    try {
      found.push(await find(id));
    } catch (error) {
      if (!isApiError(error, 'RULE_NOT_FOUND')) throw error;
      missing.push(id);
    }
  }
  if (missing.length === 0) return found;
  const [rule, exists] = missing.length === 1 ? ['Rule', 'does'] : ['Rules', 'do'];
  throw new CliError(
    exitCode.notFound,
    `${rule} ${missing.join(', ')} ${exists} not exist. Nothing was deleted.`,
  );
}

function describe({ uuid, name, rule_type, table_path, column_name }: ValidityRuleDetail): string {
  const place = [table_path, column_name].filter(Boolean).join('.');
  return [uuid, name, `${rule_type} of ${place}`].filter(Boolean).join('  ');
}

const examples = `
Examples:
  $ dq rules delete v_2b7e1516-28ae-4d2a-a6ab-f7158809cf4f
  $ dq rules delete --yes v_2b7e1516-28ae-4d2a-a6ab-f7158809cf4f v_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d`;
