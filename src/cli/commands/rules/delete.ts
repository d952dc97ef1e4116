import { isApiError } from '../../../index.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import { deleteAll } from '../../delete-all.ts';
import type { Session } from '../../session.ts';

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
    .action(async (ids, options) => {
      const { client, asset } = await connectToAsset(options);
      const { signal } = session;
      await deleteAll(
        session,
        {
          kind: 'rule',
          history: 'results',
          ids,
          find: (id) => client.validity.get(asset, id, { signal }),
          isMissing: (error) => isApiError(error, 'RULE_NOT_FOUND'),
          remove: ({ uuid }) => client.validity.delete(asset, uuid, { signal }),
          idOf: ({ uuid }) => uuid,
          describe({ uuid, name, rule_type, table_path, column_name }) {
            const place = [table_path, column_name].filter(Boolean).join('.');
            return [uuid, name, `${rule_type} of ${place}`].filter(Boolean).join('  ');
          },
        },
        options,
      );
    });

const examples = `
Examples:
  $ dq rules delete v_2b7e1516-28ae-4d2a-a6ab-f7158809cf4f
  $ dq rules delete --yes v_2b7e1516-28ae-4d2a-a6ab-f7158809cf4f v_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d`;
