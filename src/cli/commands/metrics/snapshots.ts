import { connectToAsset } from '../../connection.ts';
import { collect, listingCommand, pageSize } from '../../listing.ts';
import type { Session } from '../../session.ts';
import { snapshotTable } from '../../snapshot-table.ts';
import { print } from '../../terminal.ts';

/** `dq metrics snapshots`. */
export const listSnapshots = (session: Session) =>
  listingCommand('snapshots')
    .description('list the captured values of a metric, newest first')
    .argument('<metric-id>', 'the id of the metric, m_…')
    .addHelpText('after', examples)
    .action(async (metricId, options) => {
      const { client, asset } = await connectToAsset(options);
      const query = { limit: pageSize(options) };
      const request = client.metrics.snapshots(asset, metricId, query, { signal: session.signal });
      const snapshots = await collect(request, options);
      print(options.json, snapshots, () =>
        snapshots.length === 0 ? 'No snapshots: the metric was never captured.' : snapshotTable(snapshots),
      );
    });

const examples = `
Examples:
  $ dq metrics snapshots m_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d --limit 30
  $ dq metrics snapshots m_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d --json | jq '.[] | select(.is_anomaly)'`;
