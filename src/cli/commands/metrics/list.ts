import { metricTypes } from '../../../contract/vocabulary.ts';
import { choice } from '../../choice.ts';
import { connectToAsset } from '../../connection.ts';
import { collect, listingCommand, pageSize } from '../../listing.ts';
import { yesOrNo } from '../../rule-table.ts';
import type { Session } from '../../session.ts';
import { table } from '../../table.ts';
import { print } from '../../terminal.ts';

/** `dq metrics list`. */
export const listMetrics = (session: Session) =>
  listingCommand('list')
    .description('list the metrics of an asset')
    .addOption(choice('--type <metric_type>', 'only metrics of this type', metricTypes))
    .option('--active', 'only active metrics')
    .option('--no-active', 'only inactive metrics')
    .addHelpText('after', examples)
    .action(async (options) => {
      const { client, asset } = await connectToAsset(options);
      const query = { metric_type: options.type, is_active: options.active, limit: pageSize(options) };
      const metrics = await collect(client.metrics.list(asset, query, { signal: session.signal }), options);
      const row = (metric: (typeof metrics)[number]) => [
        metric.id,
        metric.metric_type,
        metric.table_path,
        metric.column_name,
        metric.sensitivity,
        yesOrNo(metric.is_active),
        metric.capture_interval,
      ];
      print(options.json, metrics, () =>
        metrics.length === 0
          ? 'No metrics.'
          : table(
              ['METRIC', 'TYPE', 'TABLE', 'COLUMN', 'SENSITIVITY', 'ACTIVE', 'INTERVAL'],
              metrics.map(row),
              [4],
            ),
      );
    });

const examples = `
Examples:
  $ dq metrics list --asset 5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01
  $ dq metrics list --type row_count --json`;
