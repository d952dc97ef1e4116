import { assetCommand, connectToAsset } from '../../connection.ts';
import type { Session } from '../../session.ts';
import { fieldTable } from '../../table.ts';
import { print } from '../../terminal.ts';

/** `dq metrics get`. */
export const getMetric = (session: Session) =>
  assetCommand('get')
    .description('show one metric; `dq metrics snapshots` lists its values')
    .argument('<metric-id>', 'the id of the metric, m_…')
    .addHelpText('after', examples)
    .action(async (metricId, options) => {
      const { client, asset } = await connectToAsset(options);
      const query = { include_snapshots: false };
      const metric = await client.metrics.get(asset, metricId, query, { signal: session.signal });
      print(options.json, metric, () => fieldTable(metric));
    });

const examples = `
Examples:
  $ dq metrics get m_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d
  $ dq metrics get m_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d --json | jq .sensitivity`;
