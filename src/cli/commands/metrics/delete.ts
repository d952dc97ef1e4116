import { isApiError } from '../../../index.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import { deleteAll } from '../../delete-all.ts';
import type { Session } from '../../session.ts';

/** `dq metrics delete`. */
export const deleteMetrics = (session: Session) =>
  assetCommand('delete')
    .summary('delete metrics and their values')
    .description(
      'Deletes metrics and their captured values. Nothing is deleted if one of the metrics does not exist. Asks first on a terminal.',
    )
    .argument('<metric-id...>', 'the ids of the metrics, m_…')
    .option('--yes', 'do not ask')
    .addHelpText('after', examples)
    .action(async (ids, options) => {
      const { client, asset } = await connectToAsset(options);
      const { signal } = session;
      await deleteAll(
        session,
        {
          kind: 'metric',
          history: 'values',
          ids,
          find: (id) => client.metrics.get(asset, id, { include_snapshots: false }, { signal }),
          isMissing: (error) => isApiError(error, 'METRIC_NOT_FOUND'),
          remove: ({ id }) => client.metrics.delete(asset, id, { signal }),
          idOf: ({ id }) => id,
          describe({ id, metric_type, table_path, column_name }) {
            const place = [table_path, column_name].filter(Boolean).join('.');
            return `${id}  ${metric_type} of ${place}`;
          },
        },
        options,
      );
    });

const examples = `
Examples:
  $ dq metrics delete m_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d
  $ dq metrics delete --yes m_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d --json`;
