import type { MetricSnapshot } from '../../../index.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import { requestLocal } from '../../local-endpoint.ts';
import { snapshotTable } from '../../snapshot-table.ts';
import type { Session } from '../../session.ts';
import { print } from '../../terminal.ts';

/** `dq metrics accept`. */
export const acceptMetric = (session: Session) =>
  assetCommand('accept')
    .description('accept the latest values of a metric as its new normal (local service only)')
    .argument('<metric-id>', 'the id of the metric, m_…')
    .addHelpText('after', examples)
    .action(async (metricId, options) => {
      const { client, asset } = await connectToAsset(options);
      // The metric first: its own 404 says more than that of an endpoint that the service may not have.
      await client.metrics.get(asset, metricId, { include_snapshots: false }, { signal: session.signal });
      const path = `metrics/${encodeURIComponent(asset)}/${encodeURIComponent(metricId)}/accept`;
      const { snapshots } = await requestLocal<{ readonly snapshots: readonly MetricSnapshot[] }>(
        client,
        { method: 'POST', path, missing },
        session.signal,
      );
      print(options.json, snapshots, () => snapshotTable(snapshots));
    });

const missing =
  'This service accepts no values: only the local service does. A hosted service learns a new level by itself.';

const examples = `
Examples:
  $ dq metrics accept m_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d`;
